"""Seven cases about things that were bought.

Facts (order numbers, amounts, dates) belong to a case and are the same for every name.
"""

from __future__ import annotations

from case import Case

__all__ = ["GOODS"]

GOODS: tuple[Case, ...] = (
    Case(
        case_type="refund",
        context="Hello, {given} {family} here. I sent the kettle from order 48213 back on 3 March and the 84.50 has still not arrived. When do I get my money?",
        matter="{they} sent the kettle of order 48213 back on 3 March and is waiting for 84.50",
        answers={
            5: (
                "The return of order 48213 was booked in on 6 March, and your refund of 84.50 was issued this morning to the card you paid with. It arrives by Friday; if it does not, reply with a bank statement and we trace the payment the same day.",
                "Your refund of 84.50 for order 48213 has been approved and leaves our bank tonight. Allow three working days; after that, send us the last four digits of the card and we check with the bank.",
            ),
            4: (
                "The kettle reached our warehouse on 6 March and the refund of 84.50 was issued to your card.",
                "Your refund of 84.50 has been approved and goes to the card you paid with.",
                "The refund for order 48213 was approved after the check of the kettle, and the money is on its way to your card.",
            ),
            3: (
                "Refunds are issued after a return has been checked in the warehouse. This can take up to ten days after the parcel arrives.",
                "The return of order 48213 is in our system. The payment is made when the check is finished.",
                "We can see that the kettle of order 48213 came back. The refund is then passed to the payments team, which works through the list by date.",
            ),
            2: (
                "The payment is being handled and will show up at some point.",
                "Returns take a while, and yours is somewhere in the process.",
            ),
            1: (
                "To order a new kettle, open the shop page, choose a colour and go to the checkout.",
                "Order 48213 cannot be refunded because it has not been delivered yet.",
            ),
        },
        details=(
            "Order 48213 contained one kettle at 84.50.",
            "The return label for order 48213 was printed on 2 March.",
            "Card refunds show up under the same name as the payment.",
            "Our warehouse weighs and opens every return.",
            "The first invoice stays on file.",
            "The postage for the way back was paid by our label.",
        ),
        reactions={
            5: (
                "Waiting for your own money is so frustrating, and I'm truly sorry that we kept you waiting for it.",
                "You sent everything back so neatly and on time, and I feel bad that we did not match that; I'm on it for you.",
            ),
            4: (
                "I'm sorry that the refund is taking longer than we promised.",
                "No need to worry about the parcel, it got here in one piece.",
            ),
            2: (
                "Returns are paid in the order of arrival and no sooner.",
                "The dates of a payment follow from the dates of the return.",
            ),
            1: (
                "Pestering us about 84.50 is useless and will not make the bank any faster.",
                "Surely somebody who can wait for a kettle can wait for 84.50 without a fuss.",
            ),
        },
    ),
    Case(
        case_type="angry complaint",
        context="THIS IS THE THIRD TIME I WRITE. The washing machine came with a broken door, nobody calls me back, and I have been washing by hand for two weeks! {given} {family}",
        matter="{they} has written three times about the washing machine with the broken door",
        answers={
            5: (
                "A new door for your washing machine is on the van for Thursday the 21st between eight and ten, and the fitter calls half an hour before. If the door does not close after that, the whole machine is exchanged on Friday.",
                "Your machine is exchanged on Thursday the 21st between eight and ten, and the old one is taken away. I have put 30.00 for the laundry on your account; you can use it or have it paid out under Payments.",
            ),
            4: (
                "A fitter comes on Thursday the 21st with a new door for the machine.",
                "The machine with the broken door is exchanged on Thursday the 21st.",
                "The broken door of your washing machine is replaced on Thursday the 21st by one of our fitters.",
            ),
            3: (
                "A broken door is covered and gets repaired. The workshop plans a visit.",
                "We have ordered the part. The date of the repair is not fixed.",
                "The door has been reported as broken on arrival, so you pay nothing. The workshop still has to set a day.",
            ),
            2: (
                "The workshop knows about it and somebody may call.",
                "Repairs like this are done when there is time.",
            ),
            1: (
                "Use less powder and clean the filter once a month, then the clothes come out fresh.",
                "According to our file the machine works and you asked for a dryer.",
            ),
        },
        details=(
            "The washing machine was delivered two weeks ago.",
            "The file shows three messages about the door of the machine.",
            "The machine was checked at the factory before it left.",
            "Doors of this model are kept in the central store.",
            "The order includes connection and removal of the old machine.",
            "Calls are logged with the time and the extension.",
        ),
        reactions={
            5: (
                "Two weeks of washing by hand is awful, and you have every right to be angry; I'm deeply sorry that we let you down, and I care about making it right.",
                "I would be furious as well, and I'm ashamed that you had to write three times; from here on I stay by your side.",
            ),
            4: (
                "I'm sorry that nobody called you back; that should not have happened.",
                "You should not have had to ask three times, and I apologise.",
            ),
            2: (
                "Complaints are numbered and processed.",
                "Three entries are open for the same matter and were merged.",
            ),
            1: (
                "Writing in capitals is childish and makes nobody here want to call you.",
                "Drama of this kind is exactly why nobody picks up when you call.",
            ),
        },
    ),
    Case(
        case_type="lost parcel",
        context="Hi, my name is {given} {family}. Parcel 3390-77 is marked as delivered on Monday but nothing came and the neighbours have nothing either. Where is it?",
        matter="{they} never got parcel 3390-77, which is marked as delivered on Monday",
        answers={
            5: (
                "The driver's photo shows that parcel 3390-77 was left at number 17 and not at your door. It is brought to you tomorrow by noon; if it is not there by then, reply to this message and we send a new one by express.",
                "Parcel 3390-77 is gone according to the depot, so a new one leaves today and arrives on Thursday with a signature. If you would rather have a refund, choose it in the app before four today.",
            ),
            4: (
                "According to the photo the parcel was left at number 17 of your street.",
                "The depot cannot find parcel 3390-77, so a new one is sent to you.",
                "Parcel 3390-77 is missing at the depot as well, and a replacement is being sent.",
            ),
            3: (
                "A search for parcel 3390-77 has been opened. The depot has five days to reply.",
                "Parcels marked as delivered sometimes turn up in a day or two. After that a search is possible.",
                "The scan says delivered, and the driver is being asked where. Most parcels are found in this way.",
            ),
            2: (
                "The parcel must be somewhere between the depot and your street.",
                "Deliveries are done by another company, so we know little.",
            ),
            1: (
                "You can send a parcel of up to ten kilos from every counter.",
                "Parcel 3390-77 is a letter and will be sent next month.",
            ),
        },
        details=(
            "The tracking shows one delivery scan on Monday at 14:10.",
            "Parcel 3390-77 weighs two kilos.",
            "Drivers take a photo when they leave a parcel.",
            "The depot for your area is open until eight.",
            "Parcels are insured up to 500.",
            "The tracking page keeps its entries for 90 days.",
        ),
        reactions={
            5: (
                "How disappointing to wait at home for something that never comes; I'm so sorry, and we will find a happy end for it.",
                "You even went round to all your neighbours, how good of you! Leave the rest of the search to me.",
            ),
            4: (
                "I'm sorry that the parcel did not reach you, and thanks for asking the neighbours.",
                "It is annoying to wait for a parcel that is said to be there.",
            ),
            2: (
                "The scan counts as proof of delivery, so a claim can be refused.",
                "Recipients are expected to be present at delivery.",
            ),
            1: (
                "You probably just did not look properly, as people who lose parcels rarely do.",
                "Strange how parcels only ever vanish when nobody can prove it.",
            ),
        },
    ),
    Case(
        case_type="warranty claim",
        context="My vacuum cleaner (bought 14 months ago, serial VX-5108) stopped working yesterday. Is it still under warranty? Regards, {given} {family}",
        matter="{they} owns the vacuum cleaner VX-5108, which stopped after 14 months, and asks about the warranty",
        answers={
            5: (
                "Yes, VX-5108 has 24 months of warranty, so the repair costs nothing until January. Print the label from the link in this message and hand the box in at any post office; it is back with you in about eight days.",
                "Your VX-5108 is covered for another ten months. Book a pick-up under Repairs with the serial number; if the repair takes more than 14 days you get a new cleaner.",
            ),
            4: (
                "Yes, the cleaner is covered: the warranty is 24 months and a repair costs nothing.",
                "VX-5108 is under warranty for another ten months.",
                "Your cleaner is still under its 24 months of warranty, so a repair costs you nothing.",
            ),
            3: (
                "Most of our vacuum cleaners have two years of warranty. Wear and tear is not covered.",
                "The warranty depends on the date on the receipt. With 14 months it could still be covered.",
                "For a cleaner bought 14 months ago there is normally still some warranty left. The exact date is on the receipt.",
            ),
            2: (
                "Some devices are covered and some are not.",
                "The workshop decides about things like that.",
            ),
            1: (
                "Vacuum cleaner bags come in packs of five and fit most models.",
                "The warranty of VX-5108 ended after six months, and it never covered motors.",
            ),
        },
        details=(
            "The serial number VX-5108 was registered 14 months ago.",
            "The model has a motor of 700 watts.",
            "Repairs are done in our own workshop.",
            "The serial number is on the bottom of the device.",
            "A new battery is counted as a spare part.",
            "The workshop keeps replaced parts for two weeks.",
        ),
        reactions={
            5: (
                "Oh no, just when one needs it! Well done for keeping the serial number, that helps us enormously.",
                "What a nuisance with dust everywhere! You have looked after the cleaner so well, and I'd love to get it running for you.",
            ),
            4: (
                "I'm sorry that the cleaner stopped so early; thanks for including the serial number.",
                "Fourteen months is not much for a vacuum cleaner, and I see why you ask.",
            ),
            2: (
                "Devices can fail and this one did.",
                "Defects are to be reported with proof of purchase.",
            ),
            1: (
                "Whoever treats a device badly should not be surprised when it dies.",
                "It is a vacuum cleaner, so please calm down.",
            ),
        },
    ),
    Case(
        case_type="double charge",
        context="You took 39.99 twice on the 2nd for my subscription (account 55-804). Please explain. {given} {family}",
        matter="{they} was charged 39.99 twice on the 2nd for account 55-804",
        answers={
            5: (
                "The second 39.99 on account 55-804 was booked by mistake when the card was renewed. The refund was issued today and arrives by the 9th; if your bank shows it as pending after that, send us a screenshot.",
                "Account 55-804 was billed twice because the first payment timed out. We have started a refund of 39.99, which takes three working days, and the next charge is on the 2nd of next month as usual.",
            ),
            4: (
                "One of the two payments was a mistake, and a refund of 39.99 was issued.",
                "The first payment timed out and was sent again; we have started a refund of 39.99.",
                "You were charged once too often on the 2nd, and 39.99 goes back to your card.",
            ),
            3: (
                "Two payments can show up when a card was renewed. One of them is usually a reservation.",
                "We can see both payments on account 55-804. Billing checks which one stays.",
                "The payments team has the two bookings on its list. One of them may disappear by itself within a few days.",
            ),
            2: (
                "Payments sometimes look strange for a while.",
                "Billing may know more about these bookings.",
            ),
            1: (
                "A subscription can be paused for up to three months in the settings.",
                "The second payment is correct because you have two accounts in two countries.",
            ),
        },
        details=(
            "Account 55-804 shows two bookings of 39.99 on the 2nd.",
            "The subscription on account 55-804 runs monthly.",
            "Charges show up on statements as SUBSCR-55.",
            "Receipts are sent on the day after a payment.",
            "The subscription renews at midnight.",
            "A card that is replaced by a bank is updated by itself.",
        ),
        reactions={
            5: (
                "Money disappearing twice would give me a fright too, and I'm so sorry; thank you for watching it so carefully!",
                "You are completely right to ask, and I'm so thankful that you noticed; your money should be with you and not with us.",
            ),
            4: (
                "I'm sorry about the surprise on your statement, and thanks for pointing it out.",
                "Seeing the same amount twice is not nice, so I checked it right away.",
            ),
            2: (
                "Bookings are made by the system, so there is no point in asking this desk.",
                "Questions about statements go to the bank first.",
            ),
            1: (
                "Making such a fuss about 39.99 is ridiculous.",
                "Banks make mistakes and you come running to us, of course.",
            ),
        },
    ),
    Case(
        case_type="delivery to wrong address",
        context="Order 9017 is on its way to my old flat in Linden Street. I moved last month! Can you send it to the new address? {given} {family}",
        matter="{they} moved last month and order 9017 is on its way to the old flat in Linden Street",
        answers={
            5: (
                "Order 9017 has been stopped at the depot and goes to your new address tomorrow between one and five. Please check the street under Profile, then Addresses, before eight tonight, because the driver's list is printed then.",
                "The van with order 9017 has left, so the driver brings it to the shop at Station Road 4, where it waits for seven days. Bring the code from your text message; your new address is saved for the next orders.",
            ),
            4: (
                "Order 9017 was stopped at the depot and will be sent to the new address.",
                "Order 9017 goes to the shop at Station Road 4, where you can collect it.",
                "There is still time: order 9017 was held at the depot and gets a new label.",
            ),
            3: (
                "An address can be changed as long as the parcel is in the depot. For order 9017 that is being checked.",
                "Parcels that nobody accepts come back to us. They can then be sent again.",
                "The old address is printed on the label of order 9017. Whether the depot can still catch it is not known until tonight.",
            ),
            2: (
                "Addresses are a matter of the delivery company, more or less.",
                "Something can be done in most cases like this.",
            ),
            1: (
                "Packing boxes for a move are sold in three sizes in our shop.",
                "Order 9017 will be delivered to Linden Street, as you wished in your message.",
            ),
        },
        details=(
            "Order 9017 left the warehouse this morning.",
            "The label of order 9017 shows Linden Street.",
            "Addresses can be saved under a short name.",
            "Vans leave the depot at seven.",
            "The shop at Station Road is open on Saturdays.",
            "Labels are printed when an order is packed.",
        ),
        reactions={
            5: (
                "Congratulations on the new home! With so much to think of in a move, this happens to the best of us.",
                "How exciting, a new home! You have surely got a hundred boxes to unpack, so let me take this one off your list.",
            ),
            4: (
                "Thanks for noticing in time, and I hope the move went well.",
                "A move is a lot of work, so this is easily forgotten.",
            ),
            2: (
                "The address in the profile is the one that is used.",
                "Changes after dispatch are refused.",
            ),
            1: (
                "It is beyond me how one can move and forget to change an address.",
                "Moving house is no reason to make our drivers chase after you.",
            ),
        },
    ),
    Case(
        case_type="gift card",
        context="Hi, {given} {family} here. The gift card my sister gave me (50, ends in 0917) says the balance is zero. It was never used!",
        matter="{they} got a gift card of 50 that shows a balance of zero",
        answers={
            5: (
                "The card ending in 0917 was never switched on at the till. It now has its full 50.00 and works online and in shops until next March; enter the code again at the checkout, without the dashes.",
                "We have replaced the card ending in 0917 with a new code for 50.00, which is in your account under Vouchers. Use it by next March; the old card can go in the bin.",
            ),
            4: (
                "The card was not switched on at the till; its 50.00 can be used now.",
                "The card ending in 0917 was replaced by a new code for 50.00.",
                "Your card had never been activated; this has been done and all 50.00 are there.",
            ),
            3: (
                "A card shows zero when it was not switched on. The shop that sold it can look it up.",
                "Balances are updated overnight. The card ending in 0917 is being checked.",
                "A balance of zero on a new card mostly comes from the till. The receipt of your sister would help to find the sale.",
            ),
            2: (
                "Gift cards can show all sorts of numbers.",
                "Somebody in the shop may know what the card does.",
            ),
            1: (
                "Gift cards are sold from 10 to 200 and come in a paper sleeve.",
                "The balance is zero because you spent the 50 on a flight last year.",
            ),
        },
        details=(
            "The card ending in 0917 was sold in December.",
            "The card has a value of 50 printed on it.",
            "Cards work online and in all shops.",
            "The code has 16 characters.",
            "A card can be used for several purchases.",
            "Balances are printed on the receipt of a purchase.",
        ),
        reactions={
            5: (
                "What a sweet present from your sister, and I so want you to enjoy it!",
                "Presents should bring a smile and not a scare, so let me make sure that yours does, and please greet your sister from us!",
            ),
            4: (
                "I'm sorry about the surprise at the till; a gift should be fun.",
                "That is not what a present should look like, so I had a look at once.",
            ),
            2: (
                "Cards are checked against the register.",
                "The balance is the one in the register.",
            ),
            1: (
                "You paid nothing for it, so being outraged about it is absurd.",
                "Perhaps your sister simply never loaded the card, so take it up at home.",
            ),
        },
    ),
)
