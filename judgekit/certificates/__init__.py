"""The certificate of a judge: what vouches for it, written beside a run and recomputed on demand."""
