from satdoku.making.full_grid import Chance


def test_the_choices_of_a_seed_never_change() -> None:
    chance = Chance("golden", 7)
    assert [chance.below(100) for _ in range(6)] == [83, 85, 56, 31, 79, 34]
    assert Chance("golden", 8).shuffled("abcdefgh") == list("adhfebcg")


def test_every_item_can_come_first() -> None:
    assert {Chance("first", index).shuffled("abc")[0] for index in range(50)} == set("abc")
