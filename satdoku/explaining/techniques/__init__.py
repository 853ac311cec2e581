"""The techniques that exclude candidates, a file for each, from subsets to cases."""
