"""The chatbot under test, as something that can be asked: chat services, programs, functions, planted chatbots."""
