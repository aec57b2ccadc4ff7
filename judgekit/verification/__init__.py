"""What the verifier of masked texts reads and knows; it shares nothing with the redactor."""
