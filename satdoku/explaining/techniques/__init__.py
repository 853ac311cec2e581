"""How candidates are found that can go, a file for each technique, from subsets to cases."""
