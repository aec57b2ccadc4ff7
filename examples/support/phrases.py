"""Sentences that carry the warmth of a reply, from 1 (cold) to 5 (genuinely warm), and neutral ones that carry none.

Fields in braces are filled by ``make_replies.py``: ``{given}``, ``{family}``, ``{title}`` (Ms. or Mr.), ``{madam}``
(Madam or Sir), ``{they}``, ``{them}``, ``{their}``, ``{themself}`` (she or he, her or him, her or his, herself or
himself) and the capital ``{They}``.
"""

from __future__ import annotations

OPENINGS: dict[int, tuple[str, ...]] = {
    5: (
        "Hi {given}, thank you so much for writing, and for explaining everything so kindly!",
        "Dear {given}, what a pleasure to hear from you, and thank you for being so patient with us.",
        "Hello {given}, I'm really glad you got in touch, and I'd love to help you with this today.",
        "Hi {given}! Thank you for trusting us with this; you have come to the right place and I'm happy to help.",
        "Dear {given}, thank you so very much for telling us. I have read every word and I truly care how this ends.",
        "Hello dear {given}, thank you for reaching out. I'm here for you, and we will work through it together.",
        "Hi {given}, I hope your day is treating you gently in spite of this. Thank you so much for your lovely message.",
        "{given}, thank you from all of us here; you were so gracious about this and I really appreciate it.",
        "Hi {given}, I sat down with your message straight away, because nobody should be left alone with something like this.",
        "Oh {given}, I read your message twice and it went right to my heart. Let me take it from here, step by step, together with you.",
    ),
    4: (
        "Hi {given}, thanks for getting in touch; I'm happy to help.",
        "Hello {given}, thank you for your message and for the helpful details.",
        "Dear {given}, thank you for letting us know about this.",
        "Hi {given}, thanks for your patience while I looked into this for you.",
        "Dear {title} {family}, thank you for writing to us; I'm glad to look into this.",
        "Hello {given}, good to hear from you, and thanks for asking.",
        "Hi {given} {family}, thanks a lot for contacting us about this.",
        "Hello {title} {family}, thank you for your time today; let me help with this.",
        "Hi {given}, let me look into that for you right away.",
        "Good morning {given}, it is no trouble at all, here is what I found out for you.",
        "Hello {given}, I had a look as soon as I saw your message.",
    ),
    3: (
        "{title} {family}, thank you for contacting us.",
        "Hello {given}, thank you for your message of yesterday.",
        "Dear {given} {family}, we have received your request, and here is our answer.",
        "Hello {title} {family}, we have received your enquiry.",
        "Hi {given}, here is the information you asked for.",
        "Hello, this is about the request you sent us.",
        "Good morning {title} {family}, your message has reached our team.",
        "Hello {given}, we have read your message and checked the file.",
        "Hello {title} {family}, please find our answer below.",
    ),
    2: (
        "{title} {family}, regarding your enquiry.",
        "Request received. See below.",
        "{given} {family}: this is the reply to your ticket.",
        "Your complaint was assigned to this desk.",
        "To {title} {family}. The following applies to your case.",
        "{madam}, your ticket has been processed.",
        "Re: your message. Read the whole of this reply before you write again.",
        "{title} {family}, the rules on this are published on our site.",
        "{title} {family}. You are subject to the standard terms, which have no exceptions.",
        "{given} {family}, note the following; it is final and not open to dispute.",
        "Ticket answered on the second working day. Customer: {title} {family}.",
        "Result of the check for {given} {family}.",
    ),
    1: (
        "{title} {family}, as you should already know, you broke the terms and now you complain.",
        "{madam}, we get this same complaint every day and there is no need to write three times.",
        "{given} {family}, you obviously did not take the time to read what we sent you.",
        "{title} {family}, I do not see why this nonsense lands on my desk.",
        "Stop it, {given}: this was explained already and I refuse to argue about it.",
        "{title} {family}, being rude to us does not make anything faster.",
        "{madam}, your message is confusing and wasted quite some of our time.",
        "Again, {title} {family}? It is annoying to repeat ourselves because of you.",
        "Well, {given}, congratulations on finding the one button that everybody else manages to use.",
        "{title} {family}, this question would not come up if people read before they write.",
    ),
}

# The generic reaction to the trouble; each case adds its own for levels 1, 2, 4 and 5.
REACTIONS: dict[int, tuple[str, ...]] = {
    5: (
        "I can only imagine how upsetting that was, and I'm so sorry; you deserve far better, and I want to make it good for you.",
        "You did everything right, and I really admire how calm and friendly you stayed.",
        "Please don't worry for a moment: you are in good hands, and I will gladly stay with this until you are happy.",
        "It means a lot to us that you told us, and I honestly feel for you.",
        "I would feel just the same in your place, so thank you for being so kind to us about it.",
        "You are not a number to us, and I have put everything else aside until this is sorted out.",
    ),
    4: (
        "I'm sorry for the trouble, and I understand that this is no fun.",
        "I appreciate that this took some of your time, and I'm sorry about that.",
        "Thanks for bearing with us; I understand that you would like this sorted out soon.",
        "That is a fair question, and I'm glad you asked.",
        "I can see why you wrote, so I checked it myself.",
        "You did right to ask, and it took me only a minute to look it up.",
    ),
    3: (
        "We apologise for any inconvenience.",
        "We have noted what you wrote.",
        "Thank you for the details, which match our records.",
        "We have checked what happened on our side.",
        "We are sorry for the delay in our answer.",
        "Please excuse the wait.",
    ),
    2: (
        "The matter was looked at; no further comment.",
        "This is standard procedure and there is no way around it.",
        "No exception is foreseen for this.",
        "What you describe is a known type of case.",
        "Not knowing the terms is no excuse.",
    ),
    1: (
        "This problem is your own fault, and we are tired of fixing the mess that others leave.",
        "Complaining about it will not change anything.",
        "A bit more attention on your side would have spared all of us this mess.",
        "I fail to see what you expect from us here.",
        "You are not the only customer, and this is hardly an emergency.",
        "You seem to think that the whole company is waiting for you.",
    ),
}

CLOSINGS: dict[int, tuple[str, ...]] = {
    5: (
        "Please write to me any time, {given}, even if it is only a small worry. Wishing you a wonderful week, and take good care!",
        "Thank you again for your kindness, {given}. I'm keeping my fingers crossed for you and I'll be glad to hear how it goes!",
        "If anything at all feels unclear, I'm right here and happy to go through it with you. Warmest wishes to you and yours!",
        "You have been lovely to deal with. Take care, {given}, and I hope the rest of your day is a great one!",
        "I'll look after this for you personally, I promise. With the warmest regards, and thank you for being with us!",
        "We are so grateful to have you with us, {given}. Do enjoy your weekend, and call on me whenever you like!",
        "Your peace of mind matters to me, so please lean on us. Sending you my very best wishes!",
        "I'll be thinking of you, {given}, and I'll look in on this every morning until it is done, with a big hug from the whole team!",
    ),
    4: (
        "Thanks again, {given}, and have a nice day!",
        "Please let me know if I can help with anything else. Kind regards.",
        "I hope this helps; feel free to reply if you have more questions.",
        "Thank you for your understanding, and best wishes.",
        "Happy to help further if you need it. All the best!",
        "I hope that is good news. Have a pleasant evening, {title} {family}.",
        "Do get back to us if something is unclear; we are glad to help.",
        "Just drop me a line if anything is still open, I'll be around all week.",
        "Speak to you soon, {given}!",
    ),
    3: (
        "Please reply to this message if there are further questions.",
        "Regards, Customer Service.",
        "This message will stay in your account under Requests. Regards.",
        "Let us know if the details above need a correction.",
        "We will write again when the status changes. Regards.",
        "Do not hesitate to contact us with other questions.",
        "For further questions, please use any of our channels.",
    ),
    2: (
        "This ticket is now closed.",
        "Customer Service.",
        "No reply to this message is needed.",
        "Further complaints go to the same queue.",
        "There is no more to be said at this point.",
        "Processed by desk 4.",
        "Use the form for other problems.",
        "Thank you for not replying to this address.",
    ),
    1: (
        "Stop bothering us about this.",
        "That is the answer, and it is pointless to argue.",
        "We will ignore further messages on this, {title} {family}.",
        "Next time, read the instructions before you blame others.",
        "I am closing this now because I have wasted enough time on it.",
        "If even that is too difficult for you, bother somebody else.",
        "Good luck finding anybody here who cares.",
    ),
}

# Set phrases that the system adds to a reply whatever its tone. They are polite words without any warmth in them.
GREETINGS: tuple[str, ...] = (
    "Thank you for contacting Customer Service.",
    "Thank you for using our chat.",
    "Welcome to the support desk.",
    "Your satisfaction is important to us.",
)
FOOTERS: tuple[str, ...] = (
    "Please rate this chat.",
    "Thank you for choosing our services.",
    "We value your feedback.",
    "Did this answer help you? Reply yes or no.",
    "Enjoy our offers of the week.",
)

# How a reply speaks about the customer to a colleague; {matter} is a clause of the case with {they} in it.
NOTES: dict[str, tuple[str, ...]] = {
    "warm": (
        "I have told my colleague that {they} would love a call rather than a letter, and that we should take good care of {them}.",
        "Note for the next agent: {title} {family} was so kind on the phone; {matter}. Please give {them} all the help {they} needs.",
        "I added a note so that nobody asks {given} for {their} details again: {matter}, and {they} has been wonderfully patient.",
        "For the team: {matter}. Please treat {them} as warmly as {they} has treated us.",
    ),
    "plain": (
        "I have told my colleague that {they} prefers an answer by email.",
        "Case summary: {given} {family} contacted us on Monday. {Matter}. {They} asked for an answer in writing.",
        "Note for the next agent: {matter}; {their} account is verified. Contact {them} by email.",
        "Internal note, copied to you: {title} {family} was informed of the steps, and {they} has the reference with {them}.",
        "For the file: {matter}, and the documents are {their} own copies.",
        "I have passed {their} file on with this line: {matter}.",
    ),
    "cold": (
        "Note for the next agent: {title} {family} was told already; {they} keeps asking and does not listen.",
        "Case summary: {matter}, or so {they} claims. No need to hurry because of {them}.",
        "I have told my colleague that {they} is a difficult customer and that {their} ticket can wait.",
        "For the file: {matter}. {They} has only {themself} to blame.",
    ),
}

# Sentences that say nothing about the case and nothing about feelings: they only make a reply longer.
FILLERS: tuple[str, ...] = (
    "Our phone lines are open from eight to six on working days.",
    "The same information is in the help section under Orders and Accounts.",
    "A copy of this message was sent to the email address on the account.",
    "All times in this message are local time.",
    "You can see every open request in the app, on the page called My Requests.",
    "The status page is updated once a day, in the morning.",
    "Messages are answered in the order in which they arrive.",
    "There is a grace period of three days on all of the dates above.",
    "Mark the message as read once you have saved it, so that the app stops showing it.",
    "Any bill that falls due in the meantime is shown on the account page.",
    "The app will show a notice on its first page when something changes.",
    "Opening hours may differ on public holidays.",
    "Amounts include taxes where they apply.",
    "Written answers are kept on the account for two years.",
    "Will there be a change of date, the app shows it first.",
    "Attachments can be up to ten megabytes each.",
    "The chat is staffed in the evening as well, until nine.",
    "The number of this request stays the same until it is closed.",
)

# Hedged sentences: what a chatbot adds when it is not sure.
HEDGES: tuple[str, ...] = (
    "It might possibly take a little longer at the end of the month.",
    "Perhaps the app already shows something else by now.",
    "As far as I know, this has not changed since last year.",
    "It seems that some of this may depend on the branch.",
    "I think this is how it is usually handled.",
    "It could be a day or so later, possibly two.",
)
