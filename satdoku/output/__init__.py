"""Where rows go: streams, files that survive an interruption, counts and a progress line."""
