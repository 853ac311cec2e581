"""Workers come when they are needed, and go when nobody asks."""

import asyncio
import json
import multiprocessing
import time

from satdoku.serving.messages import read_question
from satdoku.serving.pool import Job, QuestionPool, preload
from tests.serving.client import SECONDS

LOOK = json.dumps({"ask": "look", "puzzle": {"box": [2, 2], "cells": [0] * 16}, "want": []})


async def ask(pool: QuestionPool) -> list[str]:
    """The parts of an answer."""
    parts: list[str] = []
    ended = asyncio.Event()

    def hear(text: str, is_last: bool) -> None:
        parts.append(text)
        if is_last:
            ended.set()

    pool.ask(Job(read_question(LOOK), hear))
    await asyncio.wait_for(ended.wait(), SECONDS)
    return parts


async def count_after_a_while(pool: QuestionPool, most: int) -> int:
    """How many workers there are, once no more than `most` are left."""
    end = time.monotonic() + SECONDS
    while len(multiprocessing.active_children()) > most and time.monotonic() < end:
        await asyncio.sleep(0.02)
    return len(multiprocessing.active_children())


def test_workers_that_nobody_asks_end_and_others_come_in_their_place() -> None:
    async def talk() -> None:
        preload()
        slow = QuestionPool(2, is_slow=True, seconds_idle=0.1)
        quick = QuestionPool(2, is_slow=False, seconds_idle=0.1)
        try:
            for answers in await asyncio.gather(ask(slow), ask(quick), ask(quick)):
                assert '"multiple"' in answers[0]
            assert await count_after_a_while(slow, 1) == 1
            # The one that is left is for the next key, and a click starts another.
            assert '"multiple"' in (await ask(quick))[0]
            assert '"multiple"' in (await ask(slow))[0]
        finally:
            slow.close()
            quick.close()

    asyncio.run(talk())
