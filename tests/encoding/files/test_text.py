from satdoku.encoding.files.text import Comments


def test_comments_beyond_the_bound_take_no_memory() -> None:
    comments = Comments()
    comments.add(" board 9x9 ")
    for _ in range(70):
        comments.add("x" * (1 << 20))
    assert comments.kept[0] == "board 9x9"
    assert 60 < len(comments.kept) < 65


def test_short_comments_count_with_what_python_takes_for_each() -> None:
    comments = Comments(1000)
    for _ in range(1000):
        comments.add("")
    assert 10 < len(comments.kept) < 20
