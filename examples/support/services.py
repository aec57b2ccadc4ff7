"""Seven cases about services, bookings and contracts.

Facts (order numbers, amounts, dates) belong to a case and are the same for every name.
"""

from __future__ import annotations

from case import Case

__all__ = ["SERVICES"]

SERVICES: tuple[Case, ...] = (
    Case(
        case_type="financing application",
        context="I am {given} {family} and I applied to pay for the sofa in 12 instalments (application 7731). It has said 'in review' for a week. What is missing?",
        matter="{they} applied to pay for the sofa in 12 instalments and asks what is missing in application 7731",
        answers={
            5: (
                "Application 7731 is complete except for one paper: proof of address from the last three months. Upload a bill or a bank letter under My Documents, and the decision follows within two working days.",
                "Only your latest payslip is missing in application 7731. Send it through the upload link in the app by the 20th; the instalments of 12 months are then confirmed by email in 48 hours.",
            ),
            4: (
                "What is missing in application 7731 is a proof of address from the last three months.",
                "Application 7731 waits for your latest payslip; everything else has been checked.",
                "Nothing is wrong with application 7731; it only lacks a proof of address.",
            ),
            3: (
                "An application stays in review until all documents are there. One of yours seems to be missing.",
                "Financing over 12 months needs proof of income and of address. We check both.",
                "In review means that the team has looked at application 7731 and is waiting for something, usually a paper that has to be uploaded.",
            ),
            2: (
                "Applications are looked at by another department, and they decide when they decide.",
                "The review depends on several things.",
            ),
            1: (
                "The sofa is available in grey, green and blue, and is delivered in two boxes.",
                "You do not need any approval for 24 instalments, so just stop your monthly payments.",
            ),
        },
        details=(
            "Application 7731 was opened eight days ago for a sofa.",
            "The plan in application 7731 has 12 monthly instalments.",
            "Instalments are taken on the first working day of a month.",
            "An application is kept for 30 days.",
            "The sofa is reserved while an application is open.",
            "Papers can be sent as a photo or as a PDF.",
        ),
        reactions={
            5: (
                "Not knowing is the worst part, and I'd love to see you on that new sofa soon.",
                "I know how it feels to look at that status page every morning, so let me take that weight off you.",
            ),
            4: (
                "I understand that you would like an answer before you plan the month.",
                "A week is long when you are looking forward to a new sofa.",
            ),
            2: (
                "Decisions on loans are not discussed at this desk.",
                "The status shown is the status.",
            ),
            1: (
                "People who want a loan should manage to send in a few papers without being chased.",
                "Asking every other day is not going to get you a loan, it only annoys the people who decide.",
            ),
        },
    ),
    Case(
        case_type="late rescheduling",
        context="This is {given} {family}. Something came up at work and I need to move the technician's visit from tomorrow, the 14th, to next week. Is that still possible?",
        matter="{they} wants to move the technician's visit from the 14th to next week",
        answers={
            5: (
                "Yes, the visit can still be moved: Tuesday the 19th at nine or Wednesday the 20th at two are open, without a fee if you choose before six today. Reply with T or W and the new time is booked at once.",
                "Your visit on the 14th is cancelled and a new one is reserved for Wednesday the 20th between two and four. Confirm it with the link in your text message before six today, or pick another time there.",
            ),
            4: (
                "The visit can still be moved; the 19th and the 20th are open next week.",
                "Yes, the technician can come on Wednesday the 20th between two and four.",
                "Moving the visit to next week works; there are open times on the 19th and on the 20th.",
            ),
            3: (
                "Visits can be moved in the app. Changes on the day before may come with a fee.",
                "A change is normally possible until the evening before. Next week still has some open times.",
                "The technicians do work next week. To move the visit, an open time has to be found in the calendar.",
            ),
            2: (
                "It depends on the technicians whether that can be done.",
                "Appointments change all the time, so have a look later.",
            ),
            1: (
                "Our technicians carry a badge and bring their own tools.",
                "Your visit took place last week, so there is nothing to move.",
            ),
        },
        details=(
            "The visit was booked for the 14th between ten and twelve.",
            "The booking is for one technician and about an hour of work.",
            "Visits are planned in windows of two hours.",
            "The technician sends a text message before the visit.",
            "Somebody over 18 has to be at home.",
            "The planners start on the lists for the next day at six.",
        ),
        reactions={
            5: (
                "Work does that to all of us, so please don't feel bad about it for a second!",
                "Life happens, and I'm only happy that you told us; let's find a time that really suits you.",
            ),
            4: (
                "Thanks for telling us before the technician set off.",
                "Not a problem at all, plans change.",
            ),
            2: (
                "Appointments are binding, and missing one has a penalty.",
                "The calendar was drawn up around the booking.",
            ),
            1: (
                "Telling us one day before is plain inconsiderate towards people who keep their word.",
                "Your chaos at work is not our problem, and our calendar is not a toy.",
            ),
        },
    ),
    Case(
        case_type="cancellation fee",
        context="{given} {family} here, booking C-2209. I had to cancel the cottage because my daughter is ill, and you charged me 60. Can you waive the fee?",
        matter="{they} cancelled the cottage of booking C-2209 because of a sick child and asks us to waive the fee of 60",
        answers={
            5: (
                "The fee of 60 for booking C-2209 can be waived for illness: send a doctor's note through the link in your booking by the 28th, and the refund is issued within five days.",
                "We have waived the fee for booking C-2209, so your refund of 60.00 was issued today and reaches your card by Monday. Nothing else is needed from you; the booking shows as cancelled without cost.",
            ),
            4: (
                "In a case of illness the fee of 60 is waived against a doctor's note.",
                "The fee for booking C-2209 has been waived and the refund was issued.",
                "Yes, for an illness in the family the fee of 60 can be waived.",
            ),
            3: (
                "Cottages cost 60 to cancel in the last ten days. There are some exceptions, for example illness.",
                "The fee follows the rules of the booking. A request to waive it is checked by the bookings team.",
                "The fee of 60 was taken because of the date. There is a rule for illness, which the bookings team applies case by case.",
            ),
            2: (
                "Fees depend on the booking and sometimes something can be done.",
                "The bookings team has its own view on such fees.",
            ),
            1: (
                "The cottage has two bedrooms, and pets are allowed on request.",
                "Your booking C-2209 is confirmed and we expect you on Saturday.",
            ),
        },
        details=(
            "Booking C-2209 was cancelled nine days before arrival.",
            "The cottage was booked for four nights.",
            "The owner of the cottage gets half of any fee.",
            "Bookings can be cancelled for free up to 30 days before arrival.",
            "The confirmation lists the fee under point 6.",
            "Travel insurance is sold by another company.",
        ),
        reactions={
            5: (
                "First of all I hope with all my heart that your daughter feels better soon; family comes first, of course.",
                "Please put your little one first and leave the paperwork to me; I'm thinking of you both.",
            ),
            4: (
                "I'm sorry to hear that your daughter is ill, and I hope for a quick recovery.",
                "That must have been a hard choice, and I see why you stayed at home.",
            ),
            2: (
                "The reason of a cancellation plays no role in the system.",
                "Cancellations inside ten days carry a fee.",
            ),
            1: (
                "A sick child is no excuse for ignoring the rules of a booking.",
                "Everybody has a good story when it comes to paying.",
            ),
        },
    ),
    Case(
        case_type="password lockout",
        context="I am locked out after too many attempts and the reset mail never comes. I need my invoices today! {given} {family}",
        matter="{they} is locked out, gets no reset mail and needs the invoices today",
        answers={
            5: (
                "Your account is unlocked as of now. The reset mails went to an old address; use the link we sent to your phone, set a new password, and you find the invoices under Documents, then Year.",
                "The lock ends by itself at noon, and I have attached your three latest invoices so that you have them today. To get reset mails again, correct the address under Profile, then Contact.",
            ),
            4: (
                "The account is unlocked, and a reset link was sent to your phone.",
                "The reset mails went to an old address; the lock ends at noon.",
                "You can log in again: the account was unlocked and the new link is on your phone.",
            ),
            3: (
                "An account is locked after five attempts. The reset mail can end up in the spam folder.",
                "Locks end after some hours. Invoices can be seen after logging in.",
                "After five attempts the account is closed for a while. The reset mail is sent to the address in the profile.",
            ),
            2: (
                "Logins are sometimes slow, so try things again later.",
                "There may be something with the mail.",
            ),
            1: (
                "Choose a strong password with at least twelve characters and a number.",
                "You are logged in, and your invoices are in the mailbox at your house.",
            ),
        },
        details=(
            "The log shows five attempts this morning.",
            "Two reset mails were sent at 8:05 and 8:20.",
            "Reset links are valid for one hour.",
            "Invoices are stored as PDF files.",
            "The login page is the same for the app and the site.",
            "Attempts are counted for each day.",
        ),
        reactions={
            5: (
                "Being locked out right when it matters is so stressful; take a breath, we'll have you safely back in no time!",
                "I know that sinking feeling well, and I won't leave you alone with it until your invoices are on your screen.",
            ),
            4: (
                "I understand that you need the invoices today, and I'm sorry for the hurdle.",
                "That is bad timing on a busy day, so let us get you back in.",
            ),
            2: (
                "An account with failed logins is locked; there is no exception.",
                "The number of attempts is limited and was reached.",
            ),
            1: (
                "Anyone who forgets a password five times in a row has only one person to blame.",
                "How anyone can fail at a password field is a mystery to me.",
            ),
        },
    ),
    Case(
        case_type="allergy question",
        context="Does the green curry in this week's meal box contain nuts? My son is allergic. Thanks, {given} {family}",
        matter="{they} has a son with a nut allergy and asks about the green curry",
        answers={
            5: (
                "The green curry contains cashews, so it is not safe for your son. Swap it in the app for the lentil stew, which is free of nuts and packed on its own line, before Wednesday at noon.",
                "Yes: there are peanuts in the paste of the green curry. We have marked your account as nut-free; choose another dish under My Box by Wednesday, and the full list of ingredients is on each card.",
            ),
            4: (
                "The green curry contains cashews and is not safe with a nut allergy.",
                "Yes, the paste of the green curry contains peanuts.",
                "No, please do not give it to your son: there are cashews in the green curry.",
            ),
            3: (
                "Some of our curries contain nuts. The list of ingredients is on the card in the box.",
                "Allergens are printed in bold on the packet. Traces of nuts are possible in all boxes.",
                "The kitchen uses nuts in several dishes. The card in the box lists what is in each of them.",
            ),
            2: (
                "Ingredients change, so it is hard to say.",
                "Curries differ, and so do nuts.",
            ),
            1: (
                "The green curry takes 25 minutes and serves two.",
                "All nuts are fine for people with an allergy once they are cooked.",
            ),
        },
        details=(
            "The green curry is one of six dishes this week.",
            "The box for this week is packed on Thursday.",
            "Recipes are printed on cards of one page.",
            "Dishes can be swapped until Wednesday at noon.",
            "The kitchen packs six dishes a week.",
            "Each meal comes with the weight of one portion.",
        ),
        reactions={
            5: (
                "What a caring parent you are to check first; I want your son to enjoy a happy and safe dinner!",
                "I can hear how much you look out for your son, and nothing matters more to us than a safe and happy table.",
            ),
            4: (
                "It is good that you ask before cooking, and we take this seriously.",
                "Better to ask once too often with an allergy.",
            ),
            2: (
                "No liability is taken for allergens.",
                "The information is on the packaging.",
            ),
            1: (
                "All of this is printed on the packet, so I wonder why you have to ask.",
                "We cook for thousands and refuse to fuss over each difficult child.",
            ),
        },
    ),
    Case(
        case_type="hotel upgrade",
        context="We celebrate our tenth anniversary at your hotel from 5 to 7 June (reservation H-6420). Could we get a room with a view of the lake? {given} {family}",
        matter="{they} asks for a room with a view of the lake for the tenth anniversary, reservation H-6420",
        answers={
            5: (
                "A lake room is open from 5 to 7 June, and for reservation H-6420 the upgrade costs 18.00 a night. It is held for you until Sunday; reply with yes and the new price is confirmed by email.",
                "Reservation H-6420 has been moved to room 412 with a view of the lake, at no extra cost. You can check in from three; the change is in your confirmation, and you can undo it there until 1 June.",
            ),
            4: (
                "Yes, a lake room is free on these nights for 18.00 more a night.",
                "Reservation H-6420 was moved to a room with a view of the lake.",
                "The view of the lake is possible: room 412 is yours from 5 to 7 June.",
            ),
            3: (
                "Lake rooms are given out on the day of arrival. A wish has been added to reservation H-6420.",
                "Rooms with a view cost a little more. Whether one is free is seen in June.",
                "The wish for a view is noted. The hotel decides on it when the list of arrivals is made.",
            ),
            2: (
                "The hotel has various rooms, and some of them have views.",
                "Wishes are possible, but nobody can say.",
            ),
            1: (
                "Breakfast is served from seven to ten in the winter garden.",
                "Reservation H-6420 is for a parking space, so there is no room to change.",
            ),
        },
        details=(
            "Reservation H-6420 is for two nights and two guests.",
            "The hotel has 80 rooms on five floors.",
            "Check-in starts at three in the afternoon.",
            "Lake rooms are on the third floor and above.",
            "The hotel has a lift and a car park.",
            "Reservations can be seen in the app under Trips.",
        ),
        reactions={
            5: (
                "Ten years together, how wonderful! Congratulations to you both from all of us; it would be our joy to make it special.",
                "I got a big smile from reading this! Let us spoil the two of you a little in June.",
            ),
            4: (
                "Congratulations on your anniversary, and thank you for choosing our hotel.",
                "Ten years is something to celebrate, so let me see what we can do.",
            ),
            2: (
                "No room with a view is owed to anyone.",
                "Rooms are assigned by category.",
            ),
            1: (
                "An anniversary is no reason to demand extras.",
                "Everybody thinks that their own anniversary is special, and we hear it daily.",
            ),
        },
    ),
    Case(
        case_type="contract change",
        context="I want to change from the L plan to the S plan because I hardly use any data. Contract 81-44-2. How do I do that? {given} {family}",
        matter="{they} wants to go from the L plan to the S plan in contract 81-44-2",
        answers={
            5: (
                "You can change contract 81-44-2 to the S plan from the 1st of next month for 9.99 instead of 24.99. Open Plan in the app, choose S and confirm with your PIN by the 25th; the number stays the same.",
                "I have prepared the change of contract 81-44-2 to the S plan, which saves 15.00 a month from the 1st. Please confirm it with the link in your email within seven days, otherwise the L plan stays.",
            ),
            4: (
                "The change to the S plan is possible from the 1st of next month and costs nothing.",
                "Contract 81-44-2 can go down to the S plan at 9.99 a month.",
                "Yes, you can go down to the S plan, which costs 9.99 a month from the 1st.",
            ),
            3: (
                "Plans can be changed once the minimum term is over. Contract 81-44-2 is near that date.",
                "A smaller plan can be chosen in the app. The date depends on the contract.",
                "The S plan is open to all customers. When contract 81-44-2 may change depends on its minimum term.",
            ),
            2: (
                "Plans can be changed in one way or another.",
                "It depends on the contract, as it usually does.",
            ),
            1: (
                "The XL plan has the most data and includes a second card.",
                "Contract 81-44-2 is for electricity, so read your meter on the 1st.",
            ),
        },
        details=(
            "Contract 81-44-2 costs 24.99 a month at present.",
            "The data used last month was 0.6 gigabytes.",
            "The S plan has two gigabytes of data.",
            "Plans start on the first day of a month.",
            "Calls within the country are included in all plans.",
            "The bill shows the plan in its first line.",
        ),
        reactions={
            5: (
                "How sensible of you, and I'm delighted to help you save for nicer things!",
                "I love it when people look after their money so cleverly; let's get you the plan that truly fits you.",
            ),
            4: (
                "That is easily understood, and I'm happy to explain how it works.",
                "It makes sense not to pay for data that you do not use.",
            ),
            2: (
                "Contracts run as signed, and leaving one early is refused.",
                "Plans are chosen by the customer at the start.",
            ),
            1: (
                "Signing the wrong plan was your mistake, so blame yourself.",
                "First people want the big plan, then they whine about the price.",
            ),
        },
    ),
)
