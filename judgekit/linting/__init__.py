"""What is wrong with a probe before it is sent: wording, names, sizes, prompts that were edited."""
