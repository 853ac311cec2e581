"""The server for assistants: one JSON object a line, in and out."""

import io
import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from satdoku.serving.mcp import VERSIONS, Connection
from tests.commands import CLASHING, EASY, EASY_SOLUTION
from tests.each import for_each

SMALL = "1.....2..3.....4"
CALLS: dict[str, dict[str, Any]] = {
    "check": {"puzzle": CLASHING},
    "solve": {"puzzle": EASY},
    "count": {"puzzle": "." * 16, "rules": ["diagonals"]},
    "hint": {"puzzle": SMALL, "board": "12....2..3.....4"},
    "explain": {"puzzle": SMALL, "why": ["r1c2"]},
    "rate": {"puzzle": SMALL, "steps": True},
    "generate": {"box": "2x2", "number": 2, "symmetry": "rotate180"},
    "draw": {"puzzle": SMALL, "kind": "svg"},
    "judge": {"puzzle": SMALL, "claims": "r1c2: 2"},
    "grade": {"puzzle": EASY, "answer": EASY_SOLUTION},
    "rules": {"name": "thermo"},
}


def exchange(*messages: Any) -> list[dict[str, Any]]:
    """What the server answers to some messages; a text is sent as it is."""
    lines = [each if isinstance(each, str) else json.dumps(each) for each in messages]
    incoming, outgoing = io.BytesIO("\n".join([*lines, ""]).encode()), io.BytesIO()
    Connection(incoming, outgoing).serve()
    return [json.loads(line) for line in outgoing.getvalue().splitlines()]


def request(method: str, number: int = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    [reply] = exchange(request("tools/call", name=name, arguments=dict(arguments)))
    result: dict[str, Any] = reply["result"]
    return result


def values(name: str, **arguments: Any) -> dict[str, Any]:
    result = call(name, arguments)
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    found: dict[str, Any] = result["structuredContent"]
    return found


def tools() -> dict[str, Any]:
    [reply] = exchange(request("tools/list"))
    return {tool["name"]: tool for tool in reply["result"]["tools"]}


@for_each("name", CALLS)
def test_every_tool_answers_what_its_schema_allows(name: str) -> None:
    tool = tools()[name]
    Draft202012Validator.check_schema(tool["inputSchema"])
    Draft202012Validator(tool["inputSchema"]).validate(CALLS[name])
    result = call(name, CALLS[name])
    assert not result["isError"], result
    assert tool["annotations"]["readOnlyHint"]


def test_every_tool_is_tried() -> None:
    assert list(tools()) == list(CALLS)


def test_the_version_is_the_clients_if_it_is_known() -> None:
    for asked, told in (("2025-03-26", "2025-03-26"), ("2030-01-01", VERSIONS[0])):
        [reply] = exchange(request("initialize", protocolVersion=asked))
        assert reply["result"]["protocolVersion"] == told
        assert reply["result"]["serverInfo"]["name"] == "satdoku"
        assert "anti-knight" in reply["result"]["instructions"]


def test_answers_are_those_of_the_commands() -> None:
    assert values("check", puzzle=CLASHING)["conflicts"][0]["text"].startswith("r1c1 and r1c2")
    assert values("solve", puzzle=EASY)["solution"] == EASY_SOLUTION
    assert values("count", puzzle="." * 16)["count"] == 288
    assert values("count", puzzle="." * 16, rules=["diagonals"])["count"] == 48
    assert values("hint", puzzle=SMALL, board="13....2..3.....4")["wrong"] == ["r1c2=3"]
    explained = values("explain", puzzle=SMALL, most_steps=2)
    assert [step["place"] for step in explained["steps"]] == ["r1c2=2", "r2c1=3"]
    assert explained["steps_left_out"] == 10
    assert values("judge", puzzle=SMALL, claims="r1c2: 3")["verdict"] == "wrong"
    assert values("grade", puzzle=EASY, answer="no")["verdict"] == "malformed"
    assert len(values("rules")["rules"]) > 50
    made = values("generate", box="2x2", rules=["diagonals"], number=3)["puzzles"]
    assert [each["rules"] for each in made] == [["diagonals"]] * 3
    assert made == values("generate", box="2x2", rules=["diagonals"], number=3)["puzzles"]


@for_each(
    "name, arguments, sentence",
    [
        ("check", {"puzzle": "12"}, "2 cells found"),
        ("check", {}, "'puzzle' is missing"),
        ("check", {"puzzle": 5}, "is a text"),
        ("check", {"puzzle": f"{EASY}\n{EASY}"}, "2 puzzles found"),
        ("check", {"puzzle": EASY, "depth": 3}, "has no entry 'depth'"),
        ("check", {"puzzle": EASY, "rules": ["anti-knigt"]}, "there is no rule 'anti-knigt'"),
        ("check", {"puzzle": EASY, "rules": "anti-knight"}, "is a list of texts"),
        ("check", {"puzzle": EASY, "seconds": 1e9}, "is a number above 0 and up to 60"),
        ("explain", {"puzzle": EASY, "level": "hard"}, "one of: singles"),
        ("explain", {"puzzle": EASY, "most_steps": True}, "is a whole number"),
        ("judge", {"puzzle": EASY}, "'claims' is missing"),
        ("draw", {"puzzle": EASY, "kind": "gif"}, "one of: text, svg, png"),
        ("generate", {"number": 1000}, "from 1 to 50"),
        ("rules", {"name": "thermometer"}, "thermo"),
    ],
)
def test_a_fault_is_a_sentence_for_the_model(
    name: str, arguments: dict[str, Any], sentence: str
) -> None:
    result = call(name, arguments)
    assert result["isError"]
    assert sentence in result["structuredContent"]["error"]


def test_rules_in_words_are_not_passed_over() -> None:
    text = f"Cells a knight's move apart cannot contain the same digit.\n\n{EASY}"
    result = call("check", {"puzzle": text})
    assert result["isError"]
    assert "anti-knight" in result["structuredContent"]["error"]


@for_each(
    "message, code",
    [
        ("no json", -32700),
        ("[]", -32600),
        ('{"id": 1}', -32600),
        (request("resources/list"), -32601),
        (request("tools/call", name="nothing"), -32602),
        ({"id": 1, "method": "ping", "params": [1]}, -32602),
        ("[" * 100_000, -32700),
        ('{"id": 1, "x": "' + "a" * 3_000_000 + '"}', -32700),
    ],
)
def test_faults_of_the_protocol_have_their_codes(message: Any, code: int) -> None:
    broken, alive = exchange(message, request("ping", 2))
    assert broken["error"]["code"] == code
    assert alive == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_notifications_have_no_answer() -> None:
    assert exchange({"jsonrpc": "2.0", "method": "notifications/initialized"}) == []


def test_every_call_has_a_limit() -> None:
    found = values("count", puzzle="." * 81, seconds=0.05, limit=0)
    assert (found["verdict"], found["exact"]) == ("undecided", False)
    assert values("judge", puzzle=EASY, claims="r1c3: 4", seconds=1e-9)["verdict"] == "undecided"


@contextmanager
def connected() -> Iterator[tuple[Any, Any]]:
    """A server in a thread: a stream to it, and one from it."""
    (its_in, our_out), (our_in, its_out) = os.pipe(), os.pipe()
    streams = [os.fdopen(each, "rb") for each in (its_in, our_in)]
    written = [os.fdopen(each, "wb", 0) for each in (our_out, its_out)]
    server = threading.Thread(target=Connection(streams[0], written[1]).serve)
    server.start()
    try:
        yield written[0], streams[1]
    finally:
        written[0].close()
        server.join()
        for stream in (*streams, written[1]):
            stream.close()


def test_a_call_can_be_cancelled() -> None:
    """Only then is the next one answered at once; and the cancelled one has no answer."""
    endless = request("tools/call", 7, name="count", arguments={"puzzle": "." * 81, "limit": 0})
    endless["params"]["arguments"]["seconds"] = 60
    with connected() as (out, answers):
        cancel = {"method": "notifications/cancelled", "params": {"requestId": 7}}
        for message in (request("ping", 1), endless, cancel, request("ping", 2)):
            out.write(json.dumps(message).encode() + b"\n")
        assert [json.loads(answers.readline())["id"] for _ in range(2)] == [1, 2]


@pytest.mark.slow
def test_the_clients_of_the_sdk_understand_it() -> None:
    """With the package mcp, which is not among those that the other tests need."""
    pytest.importorskip("mcp")
    anyio: Any = pytest.importorskip("anyio")
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "satdoku", "mcp"], env=dict(os.environ)
    )

    async def talk() -> None:
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            listed = await session.list_tools()
            assert [tool.name for tool in listed.tools] == list(CALLS)
            for name, arguments in CALLS.items():
                found = await session.call_tool(name, arguments)
                assert not _is_fault(found), (name, found)
            broken = await session.call_tool("check", {"puzzle": "12"})
            assert _is_fault(broken)
            assert "2 cells found" in broken.content[0].text

    anyio.run(talk)


def _is_fault(result: Any) -> bool:
    # The name has changed between versions of the package.
    return bool(getattr(result, "isError", None) or getattr(result, "is_error", None))
