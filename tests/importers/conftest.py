"""What made the files in ``data`` is kept beside them and is no test."""

collect_ignore_glob = ["data/*"]
