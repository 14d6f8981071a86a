// Printed by `npm run print-contracts`: do not edit.
interface components {
    schemas: {
        /** @description A delivery that will be made soon. */
        AcceptedDelivery: {
            /** @description The id of the delivery. */
            DeliveryId: Uuid;
        };
        /** @description How many events were accepted. */
        AcceptedEvents: {
            /**
             * Format: int32
             * @description How many events were accepted, those included that had been published before.
             */
            Accepted: number;
        };
        /** @description A new payment provider account. */
        AccountCreation: {
            paymentProvider: PaymentProvider;
            /**
             * Format: uri
             * @description Where the practice goes back to from onboarding, for instance the payment settings of your software: an https address. Our page after onboarding links to it, however onboarding ended.
             */
            returnUrl?: string;
        };
        /** @description The payment provider accounts of a site. */
        AccountList: PaymentProviderAccount[];
        /** @description An account with two ways to its onboarding. */
        AccountOnboarding: {
            account: PaymentProviderAccount;
            onboardingSession: OnboardingSession;
            onboardingLink: OnboardingLink;
        };
        /** @description A page of payments of several sites. */
        AllPaymentsList: {
            /** @description The items of this page. */
            Items: PaymentOfSite[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        AllPaymentsQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
            /** @description Only payments with one of these statuses. */
            Status?: PaymentStatus[];
            /** @description Only payments of this provider. */
            PaymentProvider?: PaymentProvider;
            /** @description Only payments with exactly this reference. */
            Reference?: string;
            /** @description Only payments that were created at this time or later. */
            CreatedFrom?: DateTime;
            /** @description Only payments that were created before this time. */
            CreatedTo?: DateTime;
            /** @description Only payments of these sites. A site that is not yours has none. */
            Sites?: Slug[];
        };
        /**
         * @description The status of a payment provider account.
         *
         *     - `None`: Onboarding is not finished: open the onboarding link.
         *     - `Pending`: The provider checks what it was told.
         *     - `ActionRequired`: The provider needs something more of the practice: open the onboarding link.
         *     - `Active`: It can take payments.
         *     - `Restricted`: It can take payments, but the provider wants something more before it pays out.
         *     - `Disabled`: It can take no payments: the provider has paused it, or it has revoked our access.
         *     - `Rejected`: The provider has rejected the practice.
         *
         *     More values may be added: take any other text, too.
         */
        AnyAccountStatus: "None" | "Pending" | "ActionRequired" | "Active" | "Restricted" | "Disabled" | "Rejected" | (string & {});
        /**
         * @description How an act ended.
         *
         *     - `Succeeded`: It was done.
         *     - `Replayed`: The stored reply of an earlier request was sent again.
         *     - `Refused`: It was refused.
         *     - `Failed`: It failed on our side, so that its effect is not certain.
         *
         *     More values may be added: take any other text, too.
         */
        AnyAuditOutcome: "Succeeded" | "Replayed" | "Refused" | "Failed" | (string & {});
        /**
         * @description The state of a delivery.
         *
         *     - `pending`: It is being attempted, or waits for its next attempt.
         *     - `delivered`: Your receiver has accepted it.
         *     - `rejected`: Your receiver has answered that it cannot process it.
         *     - `exhausted`: Every attempt of the schedule has failed.
         *     - `expired`: The event expired before it could be delivered.
         *     - `cancelled`: The subscription ended before it could be delivered.
         *
         *     More values may be added: take any other text, too.
         */
        AnyDeliveryState: "pending" | "delivered" | "rejected" | "exhausted" | "expired" | "cancelled" | (string & {});
        /**
         * @description A payment provider.
         *
         *     - `Stripe`: Stripe, with Connect accounts.
         *     - `Sandbox`: A simulation of Stripe without money. Not available in production.
         *
         *     More values may be added: take any other text, too.
         */
        AnyPaymentProvider: "Stripe" | "Sandbox" | (string & {});
        /**
         * @description The status of a payment.
         *
         *     - `Created`: It is stored; the provider has not confirmed it yet.
         *     - `Pending`: The provider has opened its checkout, and the customer may pay.
         *     - `Declined`: An attempt was declined. The customer may try again.
         *     - `Processing`: The customer has paid, and the bank has not confirmed it yet.
         *     - `Completed`: The money is confirmed.
         *     - `Failed`: It is over, and nothing was taken.
         *     - `Cancelled`: It was cancelled, or its checkout expired.
         *     - `PartiallyRefunded`: A part of the money was refunded.
         *     - `Refunded`: All of the money was refunded.
         *     - `Disputed`: The customer disputes it at the bank, which holds the money back until it decides.
         *     - `ChargedBack`: The dispute was lost: the bank took the money from the practice.
         *
         *     More values may be added: take any other text, too.
         */
        AnyPaymentStatus: "Created" | "Pending" | "Declined" | "Processing" | "Completed" | "Failed" | "Cancelled" | "PartiallyRefunded" | "Refunded" | "Disputed" | "ChargedBack" | (string & {});
        /**
         * @description The status of a refund.
         *
         *     - `Created`: It is stored; the provider has not answered yet.
         *     - `Pending`: The bank works on it.
         *     - `Succeeded`: The money is on its way to the customer.
         *     - `Failed`: The money is with the practice. A refund that has succeeded may still fail days later.
         *
         *     More values may be added: take any other text, too.
         */
        AnyRefundStatus: "Created" | "Pending" | "Succeeded" | "Failed" | (string & {});
        /**
         * @description The status of a site.
         *
         *     - `Operational`: It can take payments.
         *     - `Suspended`: It takes no new payments. Refunds and events go on.
         *     - `Closed`: The practice is closed: it takes no new payments.
         *
         *     More values may be added: take any other text, too.
         */
        AnySiteStatus: "Operational" | "Suspended" | "Closed" | (string & {});
        /** @description An act on a site. It never holds a secret. */
        AuditEntry: {
            /** @description The id of the entry. */
            EntryId: Uuid;
            /** @description When it was recorded. */
            RecordedAt: DateTime;
            /** @description The service that recorded it. */
            Service: string;
            /** @description The operation, by its `operationId` in this document. */
            Operation: string;
            Outcome: AnyAuditOutcome;
            /** @description The code of the problem, if it was refused or failed. */
            Code?: string;
            /** @description `client:<id>`, `site:<slug>` for a site API key, or `visitor` for somebody who has only the onboarding link. */
            Principal: string;
            /** @description Which site API key it was, by its id. */
            SiteKeyId?: string;
            /** @description The IP address from which the request came. */
            ClientAddress?: string;
            /** @description The slug of the site. */
            SiteSlug?: string;
            /** @description The slug of the site's owner. */
            OrganisationSlug?: string;
            /** @description The things that it was about, such as `payment:<RecordId>`. */
            Targets: string[];
            /** @description The `X-Request-Id` of the request. */
            RequestId?: string;
            /** @description The id of the trace of the request, as in the `traceId` of a problem. */
            TraceId?: string;
        };
        /** @description A page of the audit trail. */
        AuditList: {
            /** @description The items of this page. */
            Items: AuditEntry[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        AuditQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
            /** @description Only entries that were recorded at this time or later. */
            RecordedFrom?: DateTime;
            /** @description Only entries that were recorded before this time. */
            RecordedTo?: DateTime;
        };
        /** @description A position on a map (WGS 84). */
        Coordinates: {
            /** @description Degrees north of the equator. */
            Latitude: number;
            /** @description Degrees east of Greenwich. */
            Longitude: number;
        };
        /** @description A country code of ISO 3166-1 alpha-2. */
        Country: string;
        /** @description Your subscription, with the values of its headers. */
        CreatedSubscription: {
            /** @description The headers that are sent with each delivery. */
            Headers: WebhookHeader[];
            /** @description The types of the events that are delivered. */
            EventTypes: string[];
            /**
             * Format: uri
             * @description Where events are delivered.
             */
            Url: string;
            /** @description The secret with which you verify deliveries (`whsec_…`). Keep it: it is not told again. Absent if the answer is to a change, or signing is asymmetric. */
            SigningSecret?: string;
            /** @description The public key with which you verify deliveries (`whpk_…`), if signing is asymmetric. */
            PublicKey?: string;
        };
        /** @description A currency code of ISO 4217. */
        Currency: string;
        /**
         * Format: date-time
         * @description A time with its offset (RFC 3339).
         */
        DateTime: string;
        /** @description An organisation that was deleted along with the last site that it owned. */
        DeletedOrganisation: {
            /** @description The name of the organisation. */
            Name: string;
            /** @description The practice management system of the organisation. */
            PracticeManagementSoftware: PracticeManagementSoftware;
            /** @description The id of the organisation in its practice management system. */
            PmsSpecificOrganisationId: string;
            /** @description The identifier that the organisation had. */
            OrganisationSlug: Slug;
        };
        /** @description A site that was deleted, and its organisation if that was deleted along with it. */
        DeletedSite: {
            Identity: Identity;
            DeletedOrganisation?: DeletedOrganisation;
        };
        /** @description A delivery with its attempts. */
        Delivery: {
            /** @description The id of the delivery. */
            DeliveryId: Uuid;
            /** @description The id of the event, which is the `webhook-id` of each attempt. */
            EventId: Uuid;
            /** @description The type of the event. */
            EventType: string;
            State: AnyDeliveryState;
            /**
             * Format: int32
             * @description How often it was attempted.
             */
            Attempts: number;
            /** @description When we received the event. */
            CreatedAt: DateTime;
            /** @description When it is attempted next, while it waits. */
            NextAttemptAt?: DateTime;
            /** @description When it ended. */
            CompletedAt?: DateTime;
            /** @description All attempts, oldest first. */
            AttemptList: DeliveryAttempt[];
        };
        /** @description One request that tried to make a delivery. */
        DeliveryAttempt: {
            /**
             * Format: int32
             * @description Counts the attempts, from 1.
             */
            Number: number;
            /** @description When the request was sent. */
            StartedAt: DateTime;
            /**
             * Format: int32
             * @description How long it took, in milliseconds.
             */
            DurationMs: number;
            /** @description What the reply meant, or why there was none, such as `timeout`, `dns`, `tls` or `connection`. */
            Outcome: string;
            /**
             * Format: int32
             * @description The status of the reply.
             */
            StatusCode?: number;
            /** @description Why there was no reply. */
            Error?: string;
            /** @description The first 16 KiB of the reply; after a success 256 bytes. */
            ResponseBody?: string;
            /**
             * @description How `ResponseBody` is written.
             *
             *     - `utf8`: As it is.
             *     - `base64`: In Base64, because it is not UTF-8.
             *
             *     More values may be added: take any other text, too.
             */
            ResponseBodyEncoding?: "utf8" | "base64" | (string & {});
        };
        /** @description A page of deliveries. */
        DeliveryList: {
            /** @description The items of this page. */
            Items: DeliverySummary[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        DeliveryListQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
            /** @description Only deliveries in one of these states. */
            State?: DeliveryState[];
        };
        /**
         * @description The state of a delivery.
         *
         *     - `pending`: It is being attempted, or waits for its next attempt.
         *     - `delivered`: Your receiver has accepted it.
         *     - `rejected`: Your receiver has answered that it cannot process it.
         *     - `exhausted`: Every attempt of the schedule has failed.
         *     - `expired`: The event expired before it could be delivered.
         *     - `cancelled`: The subscription ended before it could be delivered.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "rejected" | "exhausted" | "expired" | "cancelled";
        /** @description An event for your subscription. */
        DeliverySummary: {
            /** @description The id of the delivery. */
            DeliveryId: Uuid;
            /** @description The id of the event, which is the `webhook-id` of each attempt. */
            EventId: Uuid;
            /** @description The type of the event. */
            EventType: string;
            State: AnyDeliveryState;
            /**
             * Format: int32
             * @description How often it was attempted.
             */
            Attempts: number;
            /** @description When we received the event. */
            CreatedAt: DateTime;
            /** @description When it is attempted next, while it waits. */
            NextAttemptAt?: DateTime;
            /** @description When it ended. */
            CompletedAt?: DateTime;
        };
        /** @description A CloudEvent (1.0). Attributes that are not listed are allowed: ignore those that you do not know. */
        Envelope: {
            /** @description What happened: the members depend on `type`. */
            data?: {
                [key: string]: unknown;
            } | null;
            /** @description The type of the event, such as `payment.succeeded`. */
            type: string;
            /**
             * @description The version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /** @description The id of the event. It is unique together with `source`. */
            id: string;
            /**
             * Format: uri-reference
             * @description Who publishes the event, as a URI reference.
             */
            source: string;
            /** @description What the event is about, such as the `RecordId` of a payment. */
            subject?: string;
            /** @description When it happened. */
            time?: DateTime | null;
            /** @description The media type of `data`. When absent, JSON. */
            datacontenttype?: string | null;
            /** @description The address of the schema of `data`. */
            dataschema?: string | null;
            /** @description The site that it happened at. */
            siteslug?: Slug;
            /** @description The event is not delivered after this time. */
            expirytime?: DateTime | null;
            /** @description The event is not delivered before this time. */
            intendeddeliverytime?: DateTime | null;
            /** @description The trace that it belongs to (W3C Trace Context). */
            traceparent?: string | null;
            /** @description The state of the trace (W3C Trace Context). */
            tracestate?: string;
            /** @description Waiting deliveries of a higher priority go first. When absent, 0. */
            priority?: number | null;
            /** @description The organisation that owns the site. */
            organisationslug?: Slug;
            /** @description The organisation that is billed for the site. */
            billingorganisationslug?: Slug;
            /** @description The practice management system of the site. */
            product?: PracticeManagementSoftware;
            /** @description Where the data can be found, if it is not in the event. */
            dataref?: string | null;
            /** @description Who may see the event. Absent or null is 0, Internal. */
            visibility?: EventVisibility | null;
            /** @description A billable item with its options: it decides the cost. */
            billingsku?: string | null;
            /** @description How many of the SKU are billed. When absent, 1. */
            billingpax?: number | null;
            /** @description The id of the practice in its practice management system. */
            pmsspecificid?: string;
        };
        /**
         * Format: int32
         * @description Who may see an event. External systems may publish 0 and 1.
         *
         *     - `0`, Internal: other services of the system may subscribe to it. It is not available as a webhook. The default.
         *     - `1`, Public: it is published as a webhook, and authorised external systems may subscribe to it.
         *     - `2`, WorkQueue: it waits in a queue for the service that published it.
         *     - `3`, Private: it is not published, and visible only within the service and its telemetry.
         * @default 0
         */
        EventVisibility: number;
        /** @description A change of the status of a payment. */
        HistoryEntry: {
            /** @description When the status changed. */
            Timestamp: DateTime;
            /** @description What happened. */
            Description: string;
            /** @description The status from then on. */
            Status: AnyPaymentStatus;
        };
        /**
         * Format: uri
         * @description An absolute URL, `https` or `http`.
         */
        HttpUrl: string;
        /** @description Who a site is. */
        Identity: {
            /** @description The name of the practice. */
            Name: string;
            /** @description The practice management system of the site. */
            PracticeManagementSoftware: PracticeManagementSoftware;
            /** @description The id of the site in its practice management system; its slug until the system sets one. */
            PmsSpecificSiteId: string;
            /** @description The identifier of the site, for ever. */
            SiteSlug: Slug;
            /** @description The organisation that owns the site. */
            OwningOrganisationSlug: Slug;
            /** @description The organisation that is billed for the site. */
            BillingOrganisationSlug: Slug;
        };
        /**
         * Format: int64
         * @description Money in minor units of its currency (ISO 4217): pence, cents, yen.
         */
        MinorUnits: number;
        /** @description A link to onboarding on a page of the provider. */
        OnboardingLink: {
            /**
             * Format: uri
             * @description The page on which the practice tells the provider what it needs to know. It can be opened again.
             */
            url: string;
            /** @description Until when the link can be opened. */
            expiresAt: DateTime;
        };
        /** @description A session of onboarding that is embedded in your own page. */
        OnboardingSession: {
            /** @description A secret of the provider, with which its front end shows onboarding in your own page. */
            session: string;
            /** @description Until when the session can be used. */
            expiresAt: DateTime;
        };
        /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
        PageToken: string;
        /** @description A new payment. */
        PaymentCreation: {
            /** @description The payment provider that takes the money. */
            PaymentProvider: PaymentProvider;
            /** @description The currency of the payment, by its code of ISO 4217. */
            Currency: Currency;
            /** @description Your identifier of the customer. */
            CustomerId?: string;
            /** @description Your reference of the payment. It comes back in the record and in events. */
            Reference?: string;
            /** @description What the customer's card statement shows. See `CardStatementText` of the record. */
            StatementDescriptor?: string;
            /**
             * Format: int64
             * @description The fee that the platform takes of the payment, in minor units. A fee above the amount is reduced to it. Defaults to 0.
             */
            FeeAmount?: number;
            /** @description What the customer pays for. Send at least one item: the amount of a payment is the sum of `Price` times `Quantity`, and without items the answer is 422 `line_items_required`. */
            LineItems?: PaymentLineItem[];
            UiMode?: PaymentUiMode;
            /** @description Where the customer is sent after a successful payment, in hosted mode: an absolute URL. `{CHECKOUT_SESSION_ID}` in it becomes the `PaymentId`. Absent: a page of ours. */
            SuccessUrl?: string;
            /** @description Where the checkout sends a customer who goes back: an absolute URL. Absent: no back button. */
            CancelUrl?: HttpUrl;
        };
        /** @description A line of a payment. */
        PaymentLineItem: {
            /** @description The price of one, in minor units of the currency of the payment. */
            Price: MinorUnits;
            /**
             * Format: int64
             * @description How many. Defaults to 1.
             */
            Quantity?: number;
            /** @description What the customer pays for, as the checkout shows it. */
            ProductName: string;
            /** @description More about it, as the checkout shows it. */
            ProductDescription?: string;
            TaxBehaviour?: TaxBehaviour;
        };
        /** @description A page of payments. */
        PaymentList: {
            /** @description The items of this page. */
            Items: PaymentRecord[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        PaymentListQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
            /** @description Only payments with one of these statuses. */
            Status?: PaymentStatus[];
            /** @description Only payments of this provider. */
            PaymentProvider?: PaymentProvider;
            /** @description Only payments with exactly this reference. */
            Reference?: string;
            /** @description Only payments that were created at this time or later. */
            CreatedFrom?: DateTime;
            /** @description Only payments that were created before this time. */
            CreatedTo?: DateTime;
        };
        /** @description A payment, with its site. */
        PaymentOfSite: {
            /** @description The site that the payment was created for. */
            SiteSlug: Slug;
            /** @description The payment provider that takes the money. */
            PaymentProvider: AnyPaymentProvider;
            /** @description Our id of the payment. */
            RecordId: Uuid;
            Status: AnyPaymentStatus;
            /** @description The provider's id of the checkout, once the provider has confirmed it. */
            PaymentId?: string;
            /** @description Your reference of the payment. */
            Reference?: string;
            /**
             * Format: int64
             * @description The sum of the line items, in minor units of `Currency`.
             */
            Amount: number;
            /** @description The currency that you asked for. A code of ISO 4217. */
            Currency: string;
            /** @description Your identifier of the customer. */
            CustomerId?: string;
            /** @description The statement descriptor that you asked for. */
            StatementDescriptor?: string;
            /** @description What a card statement shows, at most 22 characters: the account's prefix and as much of `StatementDescriptor` as fits after it. Absent if no `StatementDescriptor` was given, or the prefix is not known. */
            CardStatementText?: string;
            /**
             * Format: int64
             * @description The fee that the platform takes of the payment.
             */
            FeeAmount: number;
            /**
             * Format: int64
             * @description The tip that the customer added.
             */
            TipAmount: number;
            /**
             * Format: int64
             * @description The sum that the provider took, once it is paid, in minor units of `PaidCurrency`. It may differ from `Amount`.
             */
            PaidAmount?: number;
            /** @description The currency that the provider took. A code of ISO 4217. */
            PaidCurrency?: string;
            /**
             * Format: int64
             * @description The sum of the refunds that have succeeded.
             */
            RefundedAmount: number;
            /** @description All refunds, oldest first. */
            Refunds: RefundRecord[];
            /** @description All changes of the status, oldest first. */
            History: HistoryEntry[];
            /**
             * Format: uri
             * @description Where the customer pays, in hosted mode. Present while the payment can be paid.
             */
            CheckoutUrl?: string;
            /** @description A secret with which the provider's front end shows the checkout, in embedded mode. Present while it can be paid. */
            ClientSecret?: string;
            /** @description The provider's public key that its front end needs, in embedded mode. Present while it can be paid. */
            PublishableKey?: string;
            /** @description The provider's account that its front end must name, in embedded mode. Present while it can be paid. */
            ProviderAccountId?: string;
            /** @description When the checkout expires. Present while the payment can be paid. */
            ExpiresAt?: DateTime;
        };
        /**
         * @description A payment provider.
         *
         *     - `Stripe`: Stripe, with Connect accounts.
         *     - `Sandbox`: A simulation of Stripe without money. Not available in production.
         * @enum {string}
         */
        PaymentProvider: "Stripe" | "Sandbox";
        /** @description The account of a site at a payment provider: it takes the money. */
        PaymentProviderAccount: {
            /** @description Our id of the account. */
            accountId: Uuid;
            /** @description The payment provider of the account. */
            paymentProvider: AnyPaymentProvider;
            status: AnyAccountStatus;
            /** @description When it was created. */
            createdAt: DateTime;
            /** @description The provider's id of the account, once the provider has confirmed it. */
            externalAccountId?: string;
        };
        /** @description A payment: one request for money, with one checkout. */
        PaymentRecord: {
            /** @description The payment provider that takes the money. */
            PaymentProvider: AnyPaymentProvider;
            /** @description Our id of the payment. */
            RecordId: Uuid;
            Status: AnyPaymentStatus;
            /** @description The provider's id of the checkout, once the provider has confirmed it. */
            PaymentId?: string;
            /** @description Your reference of the payment. */
            Reference?: string;
            /**
             * Format: int64
             * @description The sum of the line items, in minor units of `Currency`.
             */
            Amount: number;
            /** @description The currency that you asked for. A code of ISO 4217. */
            Currency: string;
            /** @description Your identifier of the customer. */
            CustomerId?: string;
            /** @description The statement descriptor that you asked for. */
            StatementDescriptor?: string;
            /** @description What a card statement shows, at most 22 characters: the account's prefix and as much of `StatementDescriptor` as fits after it. Absent if no `StatementDescriptor` was given, or the prefix is not known. */
            CardStatementText?: string;
            /**
             * Format: int64
             * @description The fee that the platform takes of the payment.
             */
            FeeAmount: number;
            /**
             * Format: int64
             * @description The tip that the customer added.
             */
            TipAmount: number;
            /**
             * Format: int64
             * @description The sum that the provider took, once it is paid, in minor units of `PaidCurrency`. It may differ from `Amount`.
             */
            PaidAmount?: number;
            /** @description The currency that the provider took. A code of ISO 4217. */
            PaidCurrency?: string;
            /**
             * Format: int64
             * @description The sum of the refunds that have succeeded.
             */
            RefundedAmount: number;
            /** @description All refunds, oldest first. */
            Refunds: RefundRecord[];
            /** @description All changes of the status, oldest first. */
            History: HistoryEntry[];
            /**
             * Format: uri
             * @description Where the customer pays, in hosted mode. Present while the payment can be paid.
             */
            CheckoutUrl?: string;
            /** @description A secret with which the provider's front end shows the checkout, in embedded mode. Present while it can be paid. */
            ClientSecret?: string;
            /** @description The provider's public key that its front end needs, in embedded mode. Present while it can be paid. */
            PublishableKey?: string;
            /** @description The provider's account that its front end must name, in embedded mode. Present while it can be paid. */
            ProviderAccountId?: string;
            /** @description When the checkout expires. Present while the payment can be paid. */
            ExpiresAt?: DateTime;
        };
        /**
         * @description The status of a payment.
         *
         *     - `Created`: It is stored; the provider has not confirmed it yet.
         *     - `Pending`: The provider has opened its checkout, and the customer may pay.
         *     - `Declined`: An attempt was declined. The customer may try again.
         *     - `Processing`: The customer has paid, and the bank has not confirmed it yet.
         *     - `Completed`: The money is confirmed.
         *     - `Failed`: It is over, and nothing was taken.
         *     - `Cancelled`: It was cancelled, or its checkout expired.
         *     - `PartiallyRefunded`: A part of the money was refunded.
         *     - `Refunded`: All of the money was refunded.
         *     - `Disputed`: The customer disputes it at the bank, which holds the money back until it decides.
         *     - `ChargedBack`: The dispute was lost: the bank took the money from the practice.
         * @enum {string}
         */
        PaymentStatus: "Created" | "Pending" | "Declined" | "Processing" | "Completed" | "Failed" | "Cancelled" | "PartiallyRefunded" | "Refunded" | "Disputed" | "ChargedBack";
        /**
         * @description Where the customer pays.
         *
         *     - `Hosted`: On a page of the provider: send the customer to `CheckoutUrl`. The default.
         *     - `Embedded`: In your own page, with the provider's front end and `ClientSecret`.
         * @enum {string}
         */
        PaymentUiMode: "Hosted" | "Embedded";
        /** @description The id of the site in its practice management system. It is unique within the system. */
        PmsSpecificId: string;
        /** @description The code of a practice management system, such as `Dentally`. */
        PracticeManagementSoftware: string;
        PracticeManagementSystemList: {
            /** @description All known systems, in the order of their codes. */
            Items: {
                /** @description The code by which everything else names it: sites, events and the header X-Practice-Management-Software. */
                PracticeManagementSoftware: PracticeManagementSoftware;
                /** @description The name for people. */
                DisplayName: string;
                /** @description What its practices do: Dental, Medical, Optical, Veterinary, or Any. More may follow. */
                Sector: string;
                /** @description Whether you have access to it: then you may create sites of it, and name it in the header. */
                IsAccessible: boolean;
            }[];
        };
        /** @description The two API keys of a site. */
        PracticeSiteApiKeys: {
            /** @description An API key of the site. Send it as `X-Site-Api-Key`. It is a secret. */
            PrimaryKey: string;
            /** @description The other API key of the site, so that one can be replaced while the other one is in use. */
            SecondaryKey: string;
        };
        /** @description Problem details (RFC 9457). A problem may have more members, such as `RecordId` or `providerCode`: ignore those that you do not know. */
        ProblemDetails: {
            /**
             * Format: uri-reference
             * @description The page about this kind of problem, relative to the address of the request.
             */
            type: string;
            /** @description The kind of the problem, in words that stay the same. */
            title: string;
            /**
             * Format: int32
             * @description The status of the answer.
             */
            status: number;
            /** @description What is wrong with this request. */
            detail?: string;
            /** @description The path of the request. */
            instance?: string;
            /** @description The kind of the problem, for programs: stable, in snake_case. */
            code: string;
            /** @description The id of the trace of the request: tell it to support. */
            traceId?: string;
            /** @description The members of the request that are at fault. */
            errors?: ProblemFault[];
        };
        /** @description A member of the request that is at fault. */
        ProblemFault: {
            /** @description Which member it is: a JSON pointer (RFC 6901). */
            pointer: string;
            /** @description What is wrong with it. */
            detail: string;
        };
        /** @description A CloudEvent (1.0) that an external system publishes. Attributes that are not listed are allowed. */
        PublishedEvent: {
            /** @description What happened: the members depend on `type`. */
            data?: {
                [key: string]: unknown;
            } | null;
            /** @description The type of the event, such as `payment.succeeded`. */
            type: string;
            /**
             * @description The version of CloudEvents.
             * @constant
             */
            specversion: "1.0";
            /** @description The id of the event. It is unique together with `source`. */
            id: string;
            /**
             * Format: uri-reference
             * @description Who publishes the event, as a URI reference.
             */
            source: string;
            /** @description What the event is about, such as the `RecordId` of a payment. */
            subject?: string;
            /** @description When it happened. */
            time?: DateTime | null;
            /** @description The media type of `data`. When absent, JSON. */
            datacontenttype?: string | null;
            /** @description The address of the schema of `data`. */
            dataschema?: string | null;
            /** @description The site that it happened at. */
            siteslug?: Slug;
            /** @description The event is not delivered after this time. */
            expirytime?: DateTime | null;
            /** @description The event is not delivered before this time. */
            intendeddeliverytime?: DateTime | null;
            /** @description The trace that it belongs to (W3C Trace Context). */
            traceparent?: string | null;
            /** @description The state of the trace (W3C Trace Context). */
            tracestate?: string;
            /** @description Waiting deliveries of a higher priority go first. When absent, 0. */
            priority?: number | null;
            /** @description The organisation that owns the site. */
            organisationslug?: Slug;
            /** @description The organisation that is billed for the site. */
            billingorganisationslug?: Slug;
            /** @description The practice management system of the site. */
            product?: PracticeManagementSoftware;
            /** @description Where the data can be found, if it is not in the event. */
            dataref?: string | null;
            /** @description Who may see the event. Absent or null is 0, Internal. */
            visibility?: EventVisibility | null;
            /** @description A billable item with its options: it decides the cost. */
            billingsku?: string | null;
            /** @description How many of the SKU are billed. When absent, 1. */
            billingpax?: number | null;
            /** @description The id of the practice in its practice management system. */
            pmsspecificid?: string;
        };
        /** @description A batch of CloudEvents: all are published, or none. */
        PublishedEventBatch: PublishedEvent[];
        PublishedEvents: PublishedEvent | PublishedEventBatch;
        /** @description What is delivered again. */
        RecoverRequest: {
            /** @description Events that we received since this time are delivered again. */
            Since: DateTime;
        };
        /** @description How far a recovery has come. */
        Recovery: {
            /** @description The id of the recovery. */
            RecoveryId: Uuid;
            /** @description Since when; at most 14 days back. */
            Since: DateTime;
            /**
             * @description Whether the recovery goes on.
             *
             *     - `running`: It goes on.
             *     - `completed`: All deliveries were made due.
             *
             *     More values may be added: take any other text, too.
             */
            State: "running" | "completed" | (string & {});
            /**
             * Format: int32
             * @description The deliveries that were made due so far.
             */
            Deliveries: number;
            /** @description When it was requested. */
            CreatedAt: DateTime;
            /** @description When it was completed. */
            CompletedAt?: DateTime;
        };
        /** @description A new refund. */
        RefundCreation: {
            /**
             * Format: int64
             * @description The money to give back, in minor units of the currency that was taken. Defaults to what is left of the payment.
             */
            Amount?: number;
            /** @description Your reason. It comes back in the record. */
            Reason?: string;
            /** @description Your reference. It comes back in the record, and in events as `refundReference`. */
            Reference?: string;
        };
        /** @description A page of refunds. */
        RefundList: {
            /** @description The items of this page. */
            Items: RefundRecord[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A refund of a payment, whoever made it: you, or somebody in the provider's dashboard. */
        RefundRecord: {
            /** @description Our id of the refund. */
            RefundId: Uuid;
            /** @description Our id of the payment. */
            RecordId: Uuid;
            /** @description The payment provider of the payment. */
            PaymentProvider: AnyPaymentProvider;
            /** @description The provider's id of the refund, once the provider has answered. */
            ProviderRefundId?: string;
            /**
             * Format: int64
             * @description The money that goes back, in minor units of `Currency`.
             */
            Amount: number;
            /** @description The currency that was taken. A code of ISO 4217. */
            Currency: string;
            Status: AnyRefundStatus;
            /** @description Your reason. */
            Reason?: string;
            /** @description Your reference. Absent for refunds made in the provider's dashboard. */
            Reference?: string;
            /** @description Why it failed, in the provider's words. */
            FailureReason?: string;
            /** @description When it was created. */
            CreatedAt: DateTime;
        };
        /** @description The new key of your subscription. */
        RotatedSecret: {
            /** @description The secret with which you verify deliveries (`whsec_…`). Keep it: it is not told again. Absent if the answer is to a change, or signing is asymmetric. */
            SigningSecret?: string;
            /** @description The public key with which you verify deliveries (`whpk_…`), if signing is asymmetric. */
            PublicKey?: string;
            /** @description Until when the secret before signs beside the new one. */
            PreviousSecretExpiresAt: DateTime;
        };
        /** @description The API keys of a site after one was replaced. */
        RotatedSiteKeys: {
            /** @description An API key of the site. Send it as `X-Site-Api-Key`. It is a secret. */
            PrimaryKey: string;
            /** @description The other API key of the site, so that one can be replaced while the other one is in use. */
            SecondaryKey: string;
            /**
             * Format: int32
             * @description The subscriptions that the replaced key had made, and that are paused now. Absent: they are paused a moment later.
             */
            PausedSubscriptions?: number;
        };
        /**
         * @description How deliveries are signed.
         *
         *     - `Symmetric`: With a secret that both sides have (HMAC-SHA256). The default.
         *     - `Asymmetric`: With a key of which you have the public half alone (Ed25519).
         * @enum {string}
         */
        Signing: "Symmetric" | "Asymmetric";
        /** @description A JSON merge patch (RFC 7396): null removes a member, also inside an address. */
        SiteChange: {
            Name?: SiteName;
            /** @description Where the practice is. Null removes it. */
            Address?: StreetAddressChange | null;
            /** @description Where the practice gets its mail. Null removes it. */
            PostalAddress?: StreetAddressChange | null;
            /** @description The phone number of the practice (E.164), such as `+441632960123`. Null removes it. */
            PhoneNumber?: string | null;
            /** @description The e-mail address of the practice. Null removes it. */
            EmailAddress?: string | null;
            /** @description The currency of the practice, by its code of ISO 4217. Null removes it. */
            Currency?: Currency | null;
            /** @description Where the practice is on a map. Null removes it. */
            Coordinates?: Coordinates | null;
            /** @description The id of the practice in a mapping service. Null removes it. */
            MapPlaceId?: string | null;
            /** @description The version of the practice management system that the site runs. Null removes it. */
            ApplicationVersion?: string | null;
            /** @description The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist. Null removes it. */
            WebhookUrl?: HttpUrl | null;
            SiteStatus?: SiteStatus;
            PmsSpecificSiteId?: PmsSpecificId;
        };
        /** @description A new practice site. */
        SiteCreation: {
            Name: SiteName;
            /** @description Where the practice is. */
            Address?: StreetAddress;
            /** @description Where the practice gets its mail. */
            PostalAddress?: StreetAddress;
            /** @description The phone number of the practice (E.164), such as `+441632960123`. */
            PhoneNumber?: string;
            /**
             * Format: idn-email
             * @description The e-mail address of the practice.
             */
            EmailAddress?: string;
            /** @description The organisation that will own the site. Absent: a new one, with the name of the practice. */
            OwningOrganisationSlug?: Slug;
            /** @description The organisation that will be billed for the site. Absent: the one that owns it. */
            BillingOrganisationSlug?: Slug;
            /** @description The currency of the practice, by its code of ISO 4217. */
            Currency?: Currency;
            /** @description The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist. */
            WebhookUrl?: HttpUrl;
        };
        /** @description A page of practice sites. */
        SiteList: {
            /** @description The items of this page. */
            Items: SiteListItem[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A practice site. */
        SiteListItem: {
            /** @description The practice management system of the site. */
            PracticeManagementSoftware: PracticeManagementSoftware;
            /** @description The id of the site in its practice management system; its slug until the system sets one. */
            PmsSpecificSiteId: string;
            /** @description The identifier of the site, for ever. */
            SiteSlug: Slug;
            /** @description The organisation that owns the site. */
            OwningOrganisationSlug: Slug;
            /** @description The organisation that is billed for the site. */
            BillingOrganisationSlug: Slug;
            /** @description The name of the practice. */
            Name: string;
            /** @description Where the practice is. */
            Address?: StreetAddress;
            /** @description Where the practice gets its mail. */
            PostalAddress?: StreetAddress;
            /** @description Where the practice is on a map. */
            Coordinates?: Coordinates;
            /** @description The phone number of the practice (E.164). */
            PhoneNumber?: string;
            /** @description The e-mail address of the practice. */
            EmailAddress?: string;
            /** @description The version of the practice management system that the site runs. */
            ApplicationVersion?: string;
            /** @description The currency of the practice. A code of ISO 4217. */
            Currency?: string;
            /** @description The id of the practice in a mapping service. */
            MapPlaceId?: string;
            /** @description The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist. */
            WebhookUrl?: HttpUrl;
            SiteStatus: AnySiteStatus;
        };
        SiteListQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
            /** @description Only these sites. */
            Sites?: Slug[];
            /** @description Only sites that one of these organisations owns. */
            OwningOrganisations?: Slug[];
            /** @description Only sites for which one of these organisations is billed. */
            BillingOrganisations?: Slug[];
            /** @description Only sites with an `Address` in one of these countries. */
            Countries?: Country[];
            /** @description With `true` only operational sites, with `false` only the others. */
            isActive?: boolean;
        };
        /** @description The name of the practice: 1 to 200 characters after trimming. */
        SiteName: string;
        /**
         * @description The status of a site.
         *
         *     - `Operational`: It can take payments.
         *     - `Suspended`: It takes no new payments. Refunds and events go on.
         *     - `Closed`: The practice is closed: it takes no new payments.
         * @enum {string}
         */
        SiteStatus: "Operational" | "Suspended" | "Closed";
        /** @description A site with its API keys. */
        SiteWithKeys: {
            Identity: Identity;
            PracticeSiteApiKeys: PracticeSiteApiKeys;
        };
        /** @description A URL-safe identifier: `s…` of a site, `o…` of an organisation. It never changes. */
        Slug: string;
        /** @description An address. */
        StreetAddress: {
            /** @description The first line: house and street. */
            AddressLine1?: string;
            /** @description The second line. */
            AddressLine2?: string;
            /** @description The city or town. */
            Locality?: string;
            /** @description The region, state or county. */
            Region?: string;
            /** @description The postal code. */
            PostalCode?: string;
            /** @description The country, by its code of ISO 3166-1 alpha-2. */
            Country?: Country;
        };
        /** @description The members of an address that change. */
        StreetAddressChange: {
            /** @description The first line: house and street. Null removes it. */
            AddressLine1?: string | null;
            /** @description The second line. Null removes it. */
            AddressLine2?: string | null;
            /** @description The city or town. Null removes it. */
            Locality?: string | null;
            /** @description The region, state or county. Null removes it. */
            Region?: string | null;
            /** @description The postal code. Null removes it. */
            PostalCode?: string | null;
            /** @description The country, by its code of ISO 3166-1 alpha-2. Null removes it. */
            Country?: Country | null;
        };
        /** @description Your subscription, without its secrets. */
        Subscription: {
            /** @description The names of the headers that are sent with each delivery. */
            Headers: string[];
            /** @description The types of the events that are delivered. */
            EventTypes: string[];
            /** @description What it is for (`payments`), its state (`active` or `paused`) and, when paused, why. */
            Labels: string[];
            /**
             * Format: uri
             * @description Where events are delivered.
             */
            Url: string;
            /** @description The public key with which you verify deliveries (`whpk_…`), if signing is asymmetric. */
            PublicKey?: string;
        };
        /** @description A subscription to events of a site. */
        SubscriptionCreation: {
            /** @description Headers to send with each delivery, such as a key of yours. */
            Headers?: WebhookHeader[];
            /** @description The types of the events that you want: types of ours, `payment.*`, `refund.*` and `dispute.*` for all of a kind, or exact types of external systems. */
            EventTypes: string[];
            /** @description Where events are delivered. Absent: the address that is registered for your client. */
            Url?: HttpUrl;
            /** @description How deliveries are signed. Absent: `Symmetric` for a new subscription, and as before for one that is replaced. */
            Signing?: Signing;
        };
        /** @description A page of subscriptions. */
        SubscriptionList: {
            /** @description The items of this page. */
            Items: SubscriptionSummary[];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        SubscriptionListQuery: {
            /**
             * Format: int32
             * @description The largest number of items in a page.
             * @default 50
             */
            pageSize: number;
            nextPageToken?: PageToken;
        };
        /** @description A subscription as everybody sees it who has access to the site. */
        SubscriptionSummary: {
            /** @description The id of the subscription. */
            SubscriptionId: Uuid;
            /** @description Who made it: `client:` with the client's id, or `site:` with the slug for a site API key. */
            MadeBy: string;
            /**
             * Format: uri
             * @description Scheme, host and port of the address: the rest may hold secrets of whoever made the subscription.
             */
            Receiver: string;
            /** @description The names of the headers that are sent with each delivery. */
            Headers: string[];
            /** @description The types of the events that are delivered. */
            EventTypes: string[];
            /** @description What it is for (`payments`), its state (`active` or `paused`) and, when paused, why. */
            Labels: string[];
            /** @description When it was made. */
            CreatedAt: DateTime;
            /** @description When it was last changed. */
            ChangedAt: DateTime;
        };
        /**
         * @description Whether `Price` contains the tax. It is noted at the provider for your books and changes no amount: we never compute or add tax. The sum of the line items is what the customer pays, so include tax in `Price`, or add it as a line item.
         *
         *     - `Inclusive`: `Price` contains the tax. The default.
         *     - `Exclusive`: `Price` does not contain the tax.
         *     - `Unspecified`: Nothing is said about tax.
         * @enum {string}
         */
        TaxBehaviour: "Inclusive" | "Exclusive" | "Unspecified";
        /**
         * Format: uuid
         * @description A UUID (RFC 9562).
         */
        Uuid: string;
        /** @description A header that is sent with each delivery. */
        WebhookHeader: {
            /** @description The name of the header. */
            Name: string;
            /** @description The value of the header. It is a secret, and only the answers to creation and deletion have it. */
            Value: string;
        };
        /** @description The data of `payment.succeeded`. */
        PaymentSucceededData: {
            /** @description The currency that the provider took. A code of ISO 4217. */
            currency: string;
            /**
             * Format: int64
             * @description The money that the provider took, in minor units.
             */
            amount: number;
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
        };
        /** @description The data of `payment.failed`. */
        PaymentFailedData: {
            /** @description Why it failed: `declined`, or the provider's code. */
            failureReason: string;
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
        };
        /** @description The data of `payment.cancelled`. */
        PaymentCancelledData: {
            /** @description Why it was cancelled: by request, because its checkout expired, or with its site. */
            cancellationReason: string;
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
        };
        /** @description The data of `refund.succeeded`. */
        RefundSucceededData: {
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
            /** @description Our id of the refund. */
            refundId: Uuid;
            /** @description The currency of the refund. A code of ISO 4217. */
            currency: string;
            /**
             * Format: int64
             * @description The money of the refund, in minor units.
             */
            amount: number;
            /**
             * Format: int64
             * @description The sum of the payment's refunds that have succeeded, this one included.
             */
            refundedAmount: number;
            /** @description Your reference of the refund. */
            refundReference?: string;
        };
        /** @description The data of `refund.failed`. */
        RefundFailedData: {
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
            /** @description Our id of the refund. */
            refundId: Uuid;
            /** @description The currency of the refund. A code of ISO 4217. */
            currency: string;
            /**
             * Format: int64
             * @description The money of the refund, in minor units.
             */
            amount: number;
            /**
             * Format: int64
             * @description The sum of the payment's refunds that have succeeded, this one included.
             */
            refundedAmount: number;
            /** @description Your reference of the refund. */
            refundReference?: string;
            /** @description Why it failed: `declined`, or the provider's code. */
            failureReason: string;
        };
        /** @description The data of `dispute.opened`. */
        DisputeOpenedData: {
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
            /** @description The provider's id of the dispute. */
            disputeId: string;
            /** @description The currency of the dispute. A code of ISO 4217. */
            currency: string;
            /**
             * Format: int64
             * @description The disputed money, in minor units.
             */
            amount: number;
            /** @description The customer's reason, by the provider's code. */
            disputeReason?: string;
        };
        /** @description The data of `dispute.closed`. */
        DisputeClosedData: {
            /** @description Your reference of the payment. */
            reference?: string;
            /** @description Our id of the payment. */
            recordId: Uuid;
            /** @description The payment provider of the payment. */
            paymentProvider: AnyPaymentProvider;
            /** @description The provider's id of the dispute. */
            disputeId: string;
            /** @description The currency of the dispute. A code of ISO 4217. */
            currency: string;
            /**
             * Format: int64
             * @description The disputed money, in minor units.
             */
            amount: number;
            /** @description The customer's reason, by the provider's code. */
            disputeReason?: string;
            /**
             * @description How the dispute ended.
             *
             *     - `won`: The practice keeps the money.
             *     - `lost`: The bank took the money from the practice.
             *
             *     More values may be added: take any other text, too.
             */
            disputeOutcome: "won" | "lost" | (string & {});
        };
        /** @description The data of `account.status_changed`. */
        AccountStatusChangedData: {
            /** @description Our id of the account. */
            accountId: Uuid;
            /** @description The payment provider of the account. */
            paymentProvider: AnyPaymentProvider;
            /** @description The status from now on. */
            status: AnyAccountStatus;
            /** @description The status before. */
            previousStatus: AnyAccountStatus;
            /** @description The provider's id of the account. */
            externalAccountId: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AcceptedDelivery = components['schemas']['AcceptedDelivery'];
export type AcceptedEvents = components['schemas']['AcceptedEvents'];
export type AccountCreation = components['schemas']['AccountCreation'];
export type AccountList = components['schemas']['AccountList'];
export type AccountOnboarding = components['schemas']['AccountOnboarding'];
export type AllPaymentsList = components['schemas']['AllPaymentsList'];
export type AllPaymentsQuery = components['schemas']['AllPaymentsQuery'];
export type AnyAccountStatus = components['schemas']['AnyAccountStatus'];
export type AnyAuditOutcome = components['schemas']['AnyAuditOutcome'];
export type AnyDeliveryState = components['schemas']['AnyDeliveryState'];
export type AnyPaymentProvider = components['schemas']['AnyPaymentProvider'];
export type AnyPaymentStatus = components['schemas']['AnyPaymentStatus'];
export type AnyRefundStatus = components['schemas']['AnyRefundStatus'];
export type AnySiteStatus = components['schemas']['AnySiteStatus'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditList = components['schemas']['AuditList'];
export type AuditQuery = components['schemas']['AuditQuery'];
export type Coordinates = components['schemas']['Coordinates'];
export type Country = components['schemas']['Country'];
export type CreatedSubscription = components['schemas']['CreatedSubscription'];
export type Currency = components['schemas']['Currency'];
export type DateTime = components['schemas']['DateTime'];
export type DeletedOrganisation = components['schemas']['DeletedOrganisation'];
export type DeletedSite = components['schemas']['DeletedSite'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryListQuery = components['schemas']['DeliveryListQuery'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type DeliverySummary = components['schemas']['DeliverySummary'];
export type Envelope = components['schemas']['Envelope'];
export type EventVisibility = components['schemas']['EventVisibility'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type HttpUrl = components['schemas']['HttpUrl'];
export type Identity = components['schemas']['Identity'];
export type MinorUnits = components['schemas']['MinorUnits'];
export type OnboardingLink = components['schemas']['OnboardingLink'];
export type OnboardingSession = components['schemas']['OnboardingSession'];
export type PageToken = components['schemas']['PageToken'];
export type PaymentCreation = components['schemas']['PaymentCreation'];
export type PaymentLineItem = components['schemas']['PaymentLineItem'];
export type PaymentList = components['schemas']['PaymentList'];
export type PaymentListQuery = components['schemas']['PaymentListQuery'];
export type PaymentOfSite = components['schemas']['PaymentOfSite'];
export type PaymentProvider = components['schemas']['PaymentProvider'];
export type PaymentProviderAccount = components['schemas']['PaymentProviderAccount'];
export type PaymentRecord = components['schemas']['PaymentRecord'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PaymentUiMode = components['schemas']['PaymentUiMode'];
export type PmsSpecificId = components['schemas']['PmsSpecificId'];
export type PracticeManagementSoftware = components['schemas']['PracticeManagementSoftware'];
export type PracticeManagementSystemList = components['schemas']['PracticeManagementSystemList'];
export type PracticeSiteApiKeys = components['schemas']['PracticeSiteApiKeys'];
export type ProblemDetails = components['schemas']['ProblemDetails'];
export type ProblemFault = components['schemas']['ProblemFault'];
export type PublishedEvent = components['schemas']['PublishedEvent'];
export type PublishedEventBatch = components['schemas']['PublishedEventBatch'];
export type PublishedEvents = components['schemas']['PublishedEvents'];
export type RecoverRequest = components['schemas']['RecoverRequest'];
export type Recovery = components['schemas']['Recovery'];
export type RefundCreation = components['schemas']['RefundCreation'];
export type RefundList = components['schemas']['RefundList'];
export type RefundRecord = components['schemas']['RefundRecord'];
export type RotatedSecret = components['schemas']['RotatedSecret'];
export type RotatedSiteKeys = components['schemas']['RotatedSiteKeys'];
export type Signing = components['schemas']['Signing'];
export type SiteChange = components['schemas']['SiteChange'];
export type SiteCreation = components['schemas']['SiteCreation'];
export type SiteList = components['schemas']['SiteList'];
export type SiteListItem = components['schemas']['SiteListItem'];
export type SiteListQuery = components['schemas']['SiteListQuery'];
export type SiteName = components['schemas']['SiteName'];
export type SiteStatus = components['schemas']['SiteStatus'];
export type SiteWithKeys = components['schemas']['SiteWithKeys'];
export type Slug = components['schemas']['Slug'];
export type StreetAddress = components['schemas']['StreetAddress'];
export type StreetAddressChange = components['schemas']['StreetAddressChange'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionCreation = components['schemas']['SubscriptionCreation'];
export type SubscriptionList = components['schemas']['SubscriptionList'];
export type SubscriptionListQuery = components['schemas']['SubscriptionListQuery'];
export type SubscriptionSummary = components['schemas']['SubscriptionSummary'];
export type TaxBehaviour = components['schemas']['TaxBehaviour'];
export type Uuid = components['schemas']['Uuid'];
export type WebhookHeader = components['schemas']['WebhookHeader'];
export type PaymentSucceededData = components['schemas']['PaymentSucceededData'];
export type PaymentFailedData = components['schemas']['PaymentFailedData'];
export type PaymentCancelledData = components['schemas']['PaymentCancelledData'];
export type RefundSucceededData = components['schemas']['RefundSucceededData'];
export type RefundFailedData = components['schemas']['RefundFailedData'];
export type DisputeOpenedData = components['schemas']['DisputeOpenedData'];
export type DisputeClosedData = components['schemas']['DisputeClosedData'];
export type AccountStatusChangedData = components['schemas']['AccountStatusChangedData'];
