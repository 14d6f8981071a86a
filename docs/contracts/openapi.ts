// Printed by `npm run print-contracts`: do not edit.
export interface paths {
    "/api/v1/management/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a practice site */
        post: operations["createSite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/management/sites/{SiteIdentifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a practice site */
        delete: operations["deleteSite"];
        options?: never;
        head?: never;
        /** Change a practice site */
        patch: operations["changeSite"];
        trace?: never;
    };
    "/api/v1/management/sites/{SiteIdentifier}/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the identity and the API keys of a practice site */
        get: operations["getSiteIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/management/sites/{SiteIdentifier}/keys/{Key}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace one of the API keys of a practice site */
        post: operations["rotateSiteKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List practice sites */
        get: operations["listSites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List payments, newest first */
        get: operations["listPayments"];
        put?: never;
        /** Create a payment */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a payment */
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the refunds of a payment, newest first */
        get: operations["listRefunds"];
        put?: never;
        /** Refund a payment, in part or what is left of it */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payments/{PaymentIdentifier}/refunds/{RefundIdentifier}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a refund */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payment-provider-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the payment provider accounts of a site */
        get: operations["listAccounts"];
        put?: never;
        /** Create a payment provider account, or onboard it again */
        post: operations["createAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/payment-provider-accounts/{AccountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a payment provider account */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /** Delete a payment provider account */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the subscription */
        get: operations["getSubscription"];
        put?: never;
        /** Subscribe to payment events */
        post: operations["subscribe"];
        /** Unsubscribe from payment events */
        delete: operations["unsubscribe"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Replace the signing secret */
        post: operations["rotateSigningSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all subscriptions of the site, whoever made them */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/subscriptions/{SubscriptionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a subscription of the site, whoever made it */
        delete: operations["endSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test event to your subscription */
        post: operations["sendTestEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get how far your latest recovery has come */
        get: operations["getRecovery"];
        put?: never;
        /** Deliver again all events since a time that were not delivered */
        post: operations["recoverDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List deliveries, newest first */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries/{DeliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a delivery and its attempts */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/webhooks/payments/deliveries/{DeliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a delivery again */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish events of an external system */
        post: operations["publishEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites/{SiteSlug}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List who did what to a site, newest first */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment succeeded: its money is confirmed.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.payment.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment failed for good.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.payment.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A payment was cancelled, or its checkout expired.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.payment.cancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A refund succeeded: its money is on the way back to the customer.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.refund.succeeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A refund failed, possibly after it had succeeded: its money is back with the practice.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.refund.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A customer disputes a payment at the bank.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.dispute.opened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.closed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dispute ended: it was won, or lost and the bank took the money back.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.dispute.closed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptedDelivery: {
            DeliveryId: components["schemas"]["Uuid"];
        };
        AcceptedEvents: {
            Accepted: number;
        };
        AccountCreation: {
            paymentProvider: components["schemas"]["PaymentProvider"];
            /**
             * Format: uri
             * @description Where the practice goes back to from onboarding, for instance the payment settings of your software: an https address. Our page after onboarding links to it, however onboarding ended.
             */
            returnUrl?: string;
        };
        AccountList: components["schemas"]["PaymentProviderAccount"][];
        AccountOnboarding: {
            account: components["schemas"]["PaymentProviderAccount"];
            onboardingSession: {
                session: string;
                expiresAt: components["schemas"]["DateTime"];
            };
            onboardingLink: {
                url: string;
                expiresAt: components["schemas"]["DateTime"];
            };
        };
        /** @enum {unknown} */
        AccountStatus: "None" | "Pending" | "ActionRequired" | "Active" | "Restricted" | "Disabled" | "Rejected";
        AuditEntry: {
            EntryId: components["schemas"]["Uuid"];
            RecordedAt: components["schemas"]["DateTime"];
            Service: string;
            Operation: string;
            Outcome: components["schemas"]["AuditOutcome"];
            Code?: string;
            Principal: string;
            SiteKeyId?: string;
            ClientAddress?: string;
            SiteSlug?: string;
            OrganisationSlug?: string;
            Targets: string[];
            RequestId?: string;
            TraceId?: string;
        };
        AuditList: {
            Items: components["schemas"]["AuditEntry"][];
            NextPageToken?: string;
        };
        /** @enum {unknown} */
        AuditOutcome: "Succeeded" | "Replayed" | "Refused" | "Failed";
        Coordinates: {
            Latitude: number;
            Longitude: number;
        };
        /** @enum {string} */
        Country: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
        CreatedSubscription: {
            Headers: components["schemas"]["WebhookHeader"][];
            EventTypes: string[];
            Url: string;
            SigningSecret?: string;
            PublicKey?: string;
        };
        /** @enum {string} */
        Currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XAG" | "XAU" | "XBA" | "XBB" | "XBC" | "XBD" | "XCD" | "XDR" | "XOF" | "XPD" | "XPF" | "XPT" | "XSU" | "XTS" | "XUA" | "XXX" | "YER" | "ZAR" | "ZMW" | "ZWG";
        /** Format: date-time */
        DateTime: string;
        DeletedSite: {
            Identity: components["schemas"]["Identity"];
            DeletedOrganisation?: {
                Name: string;
                PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
                PmsSpecificOrganisationId: string;
                OrganisationSlug: components["schemas"]["Slug"];
            };
        };
        Delivery: {
            DeliveryId: components["schemas"]["Uuid"];
            EventId: components["schemas"]["Uuid"];
            EventType: string;
            State: components["schemas"]["DeliveryState"];
            Attempts: number;
            CreatedAt: components["schemas"]["DateTime"];
            /** Format: date-time */
            NextAttemptAt?: string;
            /** Format: date-time */
            CompletedAt?: string;
            AttemptList: components["schemas"]["DeliveryAttempt"][];
        };
        DeliveryAttempt: {
            Number: number;
            StartedAt: components["schemas"]["DateTime"];
            DurationMs: number;
            Outcome: string;
            StatusCode?: number;
            Error?: string;
            ResponseBody?: string;
            /** @enum {unknown} */
            ResponseBodyEncoding?: "utf8" | "base64";
        };
        DeliveryList: {
            Items: components["schemas"]["DeliverySummary"][];
            NextPageToken?: string;
        };
        /** @enum {unknown} */
        DeliveryState: "pending" | "delivered" | "rejected" | "exhausted" | "expired" | "cancelled";
        DeliverySummary: {
            DeliveryId: components["schemas"]["Uuid"];
            EventId: components["schemas"]["Uuid"];
            EventType: string;
            State: components["schemas"]["DeliveryState"];
            Attempts: number;
            CreatedAt: components["schemas"]["DateTime"];
            /** Format: date-time */
            NextAttemptAt?: string;
            /** Format: date-time */
            CompletedAt?: string;
        };
        Envelope: {
            data?: {
                [key: string]: unknown;
            } | null;
            type: string;
            /** @constant */
            specversion: "1.0";
            id: string;
            source: string;
            subject?: string;
            time?: components["schemas"]["DateTime"] | null;
            datacontenttype?: string | null;
            dataschema?: string | null;
            siteslug?: string;
            expirytime?: components["schemas"]["DateTime"] | null;
            intendeddeliverytime?: components["schemas"]["DateTime"] | null;
            traceparent?: string | null;
            tracestate?: string;
            priority?: number | null;
            organisationslug?: string;
            billingorganisationslug?: string;
            product?: string;
            dataref?: string | null;
            visibility?: number | null;
            billingsku?: string | null;
            billingpax?: number | null;
            pmsspecificid?: string;
        } & {
            [key: string]: unknown;
        };
        HistoryEntry: {
            Timestamp: components["schemas"]["DateTime"];
            Description: string;
            Status: components["schemas"]["PaymentStatus"];
        };
        Identity: {
            Name: string;
            PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
            PmsSpecificSiteId: string;
            SiteSlug: components["schemas"]["Slug"];
            OwningOrganisationSlug: components["schemas"]["Slug"];
            BillingOrganisationSlug: components["schemas"]["Slug"];
        };
        MinorUnits: number;
        PaymentCreation: {
            PaymentProvider: components["schemas"]["PaymentProvider"];
            Currency: components["schemas"]["Currency"];
            CustomerId?: string;
            Reference?: string;
            StatementDescriptor?: string;
            FeeAmount?: number;
            LineItems?: components["schemas"]["PaymentLineItem"][];
            /** @enum {unknown} */
            UiMode?: "Hosted" | "Embedded";
            SuccessUrl?: string;
            /** Format: uri */
            CancelUrl?: string;
        };
        PaymentLineItem: {
            Price: components["schemas"]["MinorUnits"];
            /** @description Defaults to 1. */
            Quantity?: number;
            ProductName: string;
            ProductDescription?: string;
            /**
             * @description Whether Price contains the tax. It is noted at the provider for your books and changes no amount: we never compute or add tax. The sum of the line items is what the customer pays, so include tax in Price, or add it as a line item. Defaults to Inclusive.
             * @enum {unknown}
             */
            TaxBehaviour?: "Inclusive" | "Exclusive" | "Unspecified";
        };
        PaymentList: {
            Items: components["schemas"]["PaymentRecord"][];
            NextPageToken?: string;
        };
        /** @enum {unknown} */
        PaymentProvider: "Stripe" | "Sandbox";
        PaymentProviderAccount: {
            accountId: components["schemas"]["Uuid"];
            paymentProvider: components["schemas"]["PaymentProvider"];
            status: components["schemas"]["AccountStatus"];
            createdAt: components["schemas"]["DateTime"];
            externalAccountId?: string;
        };
        PaymentRecord: {
            PaymentProvider: components["schemas"]["PaymentProvider"];
            RecordId: components["schemas"]["Uuid"];
            Status: components["schemas"]["PaymentStatus"];
            PaymentId?: string;
            Reference?: string;
            Amount: number;
            Currency: string;
            CustomerId?: string;
            StatementDescriptor?: string;
            /** @description What a card statement shows, at most 22 characters: the account's prefix and as much of StatementDescriptor as fits after it. Absent if no StatementDescriptor was given, or the prefix is not known. */
            CardStatementText?: string;
            FeeAmount: number;
            TipAmount: number;
            PaidAmount?: number;
            PaidCurrency?: string;
            RefundedAmount: number;
            Refunds: components["schemas"]["RefundRecord"][];
            History: components["schemas"]["HistoryEntry"][];
            CheckoutUrl?: string;
            ClientSecret?: string;
            PublishableKey?: string;
            ProviderAccountId?: string;
            /** Format: date-time */
            ExpiresAt?: string;
        };
        /** @enum {unknown} */
        PaymentStatus: "Created" | "Pending" | "Declined" | "Processing" | "Completed" | "Failed" | "Cancelled" | "PartiallyRefunded" | "Refunded" | "Disputed" | "ChargedBack";
        PracticeManagementSoftware: string;
        PracticeSiteApiKeys: {
            PrimaryKey: string;
            SecondaryKey: string;
        };
        PublishedEvent: {
            data?: {
                [key: string]: unknown;
            } | null;
            type: string;
            /** @constant */
            specversion: "1.0";
            id: string;
            source: string;
            subject?: string;
            time?: components["schemas"]["DateTime"] | null;
            datacontenttype?: string | null;
            dataschema?: string | null;
            siteslug?: string;
            expirytime?: components["schemas"]["DateTime"] | null;
            intendeddeliverytime?: components["schemas"]["DateTime"] | null;
            traceparent?: string | null;
            tracestate?: string;
            priority?: number | null;
            organisationslug?: string;
            billingorganisationslug?: string;
            product?: string;
            dataref?: string | null;
            visibility?: number | null;
            billingsku?: string | null;
            billingpax?: number | null;
            pmsspecificid?: string;
        } & {
            [key: string]: unknown;
        };
        RecoverRequest: {
            Since: components["schemas"]["DateTime"];
        };
        Recovery: {
            RecoveryId: components["schemas"]["Uuid"];
            Since: components["schemas"]["DateTime"];
            /** @enum {unknown} */
            State: "running" | "completed";
            Deliveries: number;
            CreatedAt: components["schemas"]["DateTime"];
            /** Format: date-time */
            CompletedAt?: string;
        };
        RefundCreation: {
            /** @description Defaults to what is left of the payment. */
            Amount?: number;
            Reason?: string;
            Reference?: string;
        };
        RefundList: {
            Items: components["schemas"]["RefundRecord"][];
            NextPageToken?: string;
        };
        RefundRecord: {
            RefundId: components["schemas"]["Uuid"];
            RecordId: components["schemas"]["Uuid"];
            PaymentProvider: components["schemas"]["PaymentProvider"];
            ProviderRefundId?: string;
            Amount: number;
            Currency: string;
            Status: components["schemas"]["RefundStatus"];
            Reason?: string;
            Reference?: string;
            FailureReason?: string;
            CreatedAt: components["schemas"]["DateTime"];
        };
        /** @enum {unknown} */
        RefundStatus: "Created" | "Pending" | "Succeeded" | "Failed";
        RotatedSecret: {
            SigningSecret?: string;
            PublicKey?: string;
            PreviousSecretExpiresAt: components["schemas"]["DateTime"];
        };
        RotatedSiteKeys: {
            PrimaryKey: string;
            SecondaryKey: string;
            PausedSubscriptions?: number;
        };
        SiteChange: {
            Name?: string;
            Address?: {
                AddressLine1?: string | null;
                AddressLine2?: string | null;
                Locality?: string | null;
                Region?: string | null;
                PostalCode?: string | null;
                Country?: components["schemas"]["Country"] | null;
            } | null;
            PostalAddress?: {
                AddressLine1?: string | null;
                AddressLine2?: string | null;
                Locality?: string | null;
                Region?: string | null;
                PostalCode?: string | null;
                Country?: components["schemas"]["Country"] | null;
            } | null;
            PhoneNumber?: string | null;
            EmailAddress?: string | null;
            Currency?: components["schemas"]["Currency"] | null;
            Coordinates?: components["schemas"]["Coordinates"] | null;
            MapPlaceId?: string | null;
            ApplicationVersion?: string | null;
            /** @enum {unknown} */
            SiteStatus?: "Operational" | "Suspended" | "Closed";
            PmsSpecificSiteId?: string;
        };
        SiteCreation: {
            Name: components["schemas"]["SiteName"];
            Address?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                /** @enum {string} */
                Country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
            };
            PostalAddress?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                /** @enum {string} */
                Country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
            };
            PhoneNumber?: string;
            /** Format: email */
            EmailAddress?: string;
            OwningOrganisationSlug?: string;
            BillingOrganisationSlug?: string;
            /** @enum {string} */
            Currency?: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XAG" | "XAU" | "XBA" | "XBB" | "XBC" | "XBD" | "XCD" | "XDR" | "XOF" | "XPD" | "XPF" | "XPT" | "XSU" | "XTS" | "XUA" | "XXX" | "YER" | "ZAR" | "ZMW" | "ZWG";
        };
        SiteList: {
            Items: components["schemas"]["SiteListItem"][];
            NextPageToken?: string;
        };
        SiteListItem: {
            PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
            PmsSpecificSiteId: string;
            SiteSlug: components["schemas"]["Slug"];
            OwningOrganisationSlug: components["schemas"]["Slug"];
            BillingOrganisationSlug: components["schemas"]["Slug"];
            Name: string;
            Address?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                /** @enum {string} */
                Country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
            };
            PostalAddress?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                /** @enum {string} */
                Country?: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
            };
            Coordinates?: {
                Latitude: number;
                Longitude: number;
            };
            PhoneNumber?: string;
            EmailAddress?: string;
            ApplicationVersion?: string;
            Currency?: string;
            MapPlaceId?: string;
            SiteStatus: components["schemas"]["SiteStatus"];
        };
        SiteName: string;
        /** @enum {unknown} */
        SiteStatus: "Operational" | "Suspended" | "Closed";
        SiteWithKeys: {
            Identity: components["schemas"]["Identity"];
            PracticeSiteApiKeys: components["schemas"]["PracticeSiteApiKeys"];
        };
        Slug: string;
        Subscription: {
            Headers: string[];
            EventTypes: string[];
            Labels: string[];
            Url: string;
            PublicKey?: string;
        };
        SubscriptionCreation: {
            Headers?: components["schemas"]["WebhookHeader"][];
            EventTypes: string[];
            /** Format: uri */
            Url?: string;
            /** @enum {unknown} */
            Signing?: "Symmetric" | "Asymmetric";
        };
        SubscriptionList: {
            Items: components["schemas"]["SubscriptionSummary"][];
            NextPageToken?: string;
        };
        SubscriptionSummary: {
            SubscriptionId: components["schemas"]["Uuid"];
            MadeBy: string;
            Receiver: string;
            Headers: string[];
            EventTypes: string[];
            Labels: string[];
            CreatedAt: components["schemas"]["DateTime"];
            ChangedAt: components["schemas"]["DateTime"];
        };
        /** Format: uuid */
        Uuid: string;
        WebhookHeader: {
            Name: string;
            Value: string;
        };
        /** @description RFC 9457 problem details. */
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            detail?: string;
            instance?: string;
            /** @description Stable, in snake_case. */
            code: string;
            traceId?: string;
            errors?: {
                pointer: string;
                detail: string;
            }[];
        } & {
            [key: string]: unknown;
        };
    };
    responses: {
        /** @description Malformed Request. Codes: `malformed_request`, `malformed_json`, `idempotency_key_malformed`, `practice_management_software_unknown`, `practice_management_software_required`, `page_token_invalid`, `provider_signature_invalid`. */
        MalformedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:malformed_request",
                 *       "title": "The request is malformed",
                 *       "status": 400,
                 *       "code": "malformed_request",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unauthorized. Codes: `unauthorized`. */
        Unauthorized: {
            headers: {
                /** @description The challenge (RFC 6750). */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:unauthorized",
                 *       "title": "Proof of identity must be provided",
                 *       "status": 401,
                 *       "code": "unauthorized",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Forbidden. Codes: `forbidden`, `scope_missing`, `practice_management_software_forbidden`. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:forbidden",
                 *       "title": "Insufficient permissions",
                 *       "status": 403,
                 *       "code": "forbidden",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not Found. Codes: `route_not_found`, `site_not_found`, `payment_not_found`, `refund_not_found`, `account_not_found`, `subscription_not_found`, `recovery_not_found`, `delivery_not_found`, `onboarding_link_invalid`. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:route_not_found",
                 *       "title": "This address does not exist",
                 *       "status": 404,
                 *       "code": "route_not_found",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unprocessable. Codes: `organisation_unknown`, `organisation_required`, `idempotency_key_reused`, `line_items_required`, `amount_too_small`, `amount_too_large`, `currency_unsupported`, `amount_not_representable`, `statement_descriptor_refused`, `provider_not_available`, `provider_account_not_ready`, `provider_rejected`, `ui_mode_unsupported`, `declined`, `site_suspended`, `payment_not_cancellable`, `payment_not_refundable`, `refund_too_large`, `return_url_refused`, `account_has_open_payments`, `account_not_deletable`, `event_type_unknown`, `webhook_url_missing`, `webhook_url_refused`, `webhook_header_refused`, `subscription_paused`, `event_refused`, `delivery_not_redeliverable`. */
        Unprocessable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:organisation_unknown",
                 *       "title": "This organisation does not exist or is not yours",
                 *       "status": 422,
                 *       "code": "organisation_unknown",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. Codes: `rate_limited`. */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before you try again. */
                "Retry-After"?: number;
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "https://iana.org/assignments/http-problem-types#quota-exceeded",
                 *       "title": "Too many requests",
                 *       "status": 429,
                 *       "code": "rate_limited",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description User Error. Codes: `method_not_allowed`, `request_timeout`, `not_acceptable`, `conflict`, `idempotency_key_in_use`, `pms_specific_id_taken`, `body_too_large`, `uri_too_long`, `media_type_unsupported`, `headers_too_large`. */
        UserError: {
            headers: {
                /** @description Seconds to wait before you send the same request again (409). */
                "Retry-After"?: number;
                /** @description The methods of this address (405). */
                Allow?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:method_not_allowed",
                 *       "title": "This address does not support the method",
                 *       "status": 405,
                 *       "code": "method_not_allowed",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Server Error. Codes: `internal_error`, `provider_credentials`, `upstream_failed`, `service_unavailable`, `provider_unavailable`, `provider_outcome_unknown`, `overloaded`, `deadline_exceeded`. */
        ServerError: {
            headers: {
                /** @description Seconds to wait before you try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "urn:frontdesk:problem:internal_error",
                 *       "title": "Something went wrong on our side",
                 *       "status": 500,
                 *       "code": "internal_error",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The rest of your quota (IETF ratelimit-headers), such as `"default";r=199;t=1`. */
        RateLimit: string;
        /** @description Your quota, such as `"default";q=200;w=2`: requests in a window of seconds. */
        "RateLimit-Policy": string;
        /** @description Present if this is the stored answer to an earlier request with the same Idempotency-Key. */
        "Idempotency-Replayed": "true";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Name": "Harbour Street Dental",
                 *       "Address": {
                 *         "AddressLine1": "12 Harbour Street",
                 *         "Locality": "Whitstable",
                 *         "PostalCode": "CT5 1AH",
                 *         "Country": "GB"
                 *       },
                 *       "Currency": "GBP"
                 *     }
                 */
                "application/json": components["schemas"]["SiteCreation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Identity": {
                     *         "Name": "Harbour Street Dental",
                     *         "PracticeManagementSoftware": "Dentally",
                     *         "PmsSpecificSiteId": "s7Kd92LmQx4A",
                     *         "SiteSlug": "s7Kd92LmQx4A",
                     *         "OwningOrganisationSlug": "o3Fh81PqZt6B",
                     *         "BillingOrganisationSlug": "o3Fh81PqZt6B"
                     *       },
                     *       "PracticeSiteApiKeys": {
                     *         "PrimaryKey": "fsk_REDACTED_PRIMARY",
                     *         "SecondaryKey": "fsk_REDACTED_SECONDARY"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SiteWithKeys"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path: {
                /** @description The slug of a site, or its id in the practice management software. */
                SiteIdentifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Identity": {
                     *         "Name": "Harbour Street Dental",
                     *         "PracticeManagementSoftware": "Dentally",
                     *         "PmsSpecificSiteId": "s7Kd92LmQx4A",
                     *         "SiteSlug": "s7Kd92LmQx4A",
                     *         "OwningOrganisationSlug": "o3Fh81PqZt6B",
                     *         "BillingOrganisationSlug": "o3Fh81PqZt6B"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedSite"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path: {
                /** @description The slug of a site, or its id in the practice management software. */
                SiteIdentifier: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "PmsSpecificSiteId": "4711",
                 *       "PhoneNumber": "+441632960123"
                 *     }
                 */
                "application/json": components["schemas"]["SiteChange"];
                /**
                 * @example {
                 *       "PmsSpecificSiteId": "4711",
                 *       "PhoneNumber": "+441632960123"
                 *     }
                 */
                "application/merge-patch+json": components["schemas"]["SiteChange"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Name": "Harbour Street Dental",
                     *       "PracticeManagementSoftware": "Dentally",
                     *       "PmsSpecificSiteId": "s7Kd92LmQx4A",
                     *       "SiteSlug": "s7Kd92LmQx4A",
                     *       "OwningOrganisationSlug": "o3Fh81PqZt6B",
                     *       "BillingOrganisationSlug": "o3Fh81PqZt6B",
                     *       "Address": {
                     *         "AddressLine1": "12 Harbour Street",
                     *         "Locality": "Whitstable",
                     *         "PostalCode": "CT5 1AH",
                     *         "Country": "GB"
                     *       },
                     *       "Currency": "GBP",
                     *       "SiteStatus": "Operational"
                     *     }
                     */
                    "application/json": components["schemas"]["SiteListItem"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSiteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path: {
                /** @description The slug of a site, or its id in the practice management software. */
                SiteIdentifier: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Identity": {
                     *         "Name": "Harbour Street Dental",
                     *         "PracticeManagementSoftware": "Dentally",
                     *         "PmsSpecificSiteId": "s7Kd92LmQx4A",
                     *         "SiteSlug": "s7Kd92LmQx4A",
                     *         "OwningOrganisationSlug": "o3Fh81PqZt6B",
                     *         "BillingOrganisationSlug": "o3Fh81PqZt6B"
                     *       },
                     *       "PracticeSiteApiKeys": {
                     *         "PrimaryKey": "fsk_REDACTED_PRIMARY",
                     *         "SecondaryKey": "fsk_REDACTED_SECONDARY"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SiteWithKeys"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateSiteKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path: {
                /** @description The slug of a site, or its id in the practice management software. */
                SiteIdentifier: string;
                /** @description The Key of the resource. */
                Key: "Primary" | "Secondary";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PrimaryKey": "fsk_REDACTED_PRIMARY",
                     *       "SecondaryKey": "fsk_REDACTED_SECONDARY",
                     *       "PausedSubscriptions": 1
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedSiteKeys"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
                /** @description Only items of this Sites. */
                Sites?: components["schemas"]["Slug"][];
                /** @description Only items of this OwningOrganisations. */
                OwningOrganisations?: components["schemas"]["Slug"][];
                /** @description Only items of this BillingOrganisations. */
                BillingOrganisations?: components["schemas"]["Slug"][];
                /** @description Only items of this Countries. */
                Countries?: components["schemas"]["Country"][];
                /** @description Only items of this isActive. */
                isActive?: boolean;
            };
            header?: {
                /** @description The system of a PMS-specific identifier, if you have access to several. */
                "X-Practice-Management-Software"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "Name": "Harbour Street Dental",
                     *           "PracticeManagementSoftware": "Dentally",
                     *           "PmsSpecificSiteId": "s7Kd92LmQx4A",
                     *           "SiteSlug": "s7Kd92LmQx4A",
                     *           "OwningOrganisationSlug": "o3Fh81PqZt6B",
                     *           "BillingOrganisationSlug": "o3Fh81PqZt6B",
                     *           "Address": {
                     *             "AddressLine1": "12 Harbour Street",
                     *             "Locality": "Whitstable",
                     *             "PostalCode": "CT5 1AH",
                     *             "Country": "GB"
                     *           },
                     *           "Currency": "GBP",
                     *           "SiteStatus": "Operational"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SiteList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
                /** @description Only items of this Status. */
                Status?: components["schemas"]["PaymentStatus"][];
                /** @description Only items of this PaymentProvider. */
                PaymentProvider?: "Stripe" | "Sandbox";
                /** @description Only items of this Reference. */
                Reference?: string;
                /** @description Only items of this CreatedFrom. */
                CreatedFrom?: string;
                /** @description Only items of this CreatedTo. */
                CreatedTo?: string;
            };
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "PaymentProvider": "Stripe",
                     *           "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *           "Status": "Pending",
                     *           "PaymentId": "cs_test_a1b2c3",
                     *           "Reference": "INV-1001",
                     *           "Amount": 4500,
                     *           "Currency": "GBP",
                     *           "StatementDescriptor": "HARBOUR ST DENTAL",
                     *           "CardStatementText": "HARBOUR ST* HARBOUR ST",
                     *           "FeeAmount": 50,
                     *           "TipAmount": 0,
                     *           "RefundedAmount": 0,
                     *           "Refunds": [],
                     *           "History": [
                     *             {
                     *               "Timestamp": "2026-11-21T09:30:00.000Z",
                     *               "Description": "The payment was created.",
                     *               "Status": "Created"
                     *             },
                     *             {
                     *               "Timestamp": "2026-11-21T09:30:00.000Z",
                     *               "Description": "The provider accepted it; waiting for the customer.",
                     *               "Status": "Pending"
                     *             }
                     *           ],
                     *           "CheckoutUrl": "https://checkout.example/c/cs_test_a1b2c3",
                     *           "ExpiresAt": "2026-11-22T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "PaymentProvider": "Stripe",
                 *       "Currency": "GBP",
                 *       "Reference": "INV-1001",
                 *       "StatementDescriptor": "HARBOUR ST DENTAL",
                 *       "FeeAmount": 50,
                 *       "LineItems": [
                 *         {
                 *           "ProductName": "Check-up",
                 *           "Price": 4500
                 *         }
                 *       ],
                 *       "SuccessUrl": "https://pms.example/paid"
                 *     }
                 */
                "application/json": components["schemas"]["PaymentCreation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PaymentProvider": "Stripe",
                     *       "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *       "Status": "Pending",
                     *       "PaymentId": "cs_test_a1b2c3",
                     *       "Reference": "INV-1001",
                     *       "Amount": 4500,
                     *       "Currency": "GBP",
                     *       "StatementDescriptor": "HARBOUR ST DENTAL",
                     *       "CardStatementText": "HARBOUR ST* HARBOUR ST",
                     *       "FeeAmount": 50,
                     *       "TipAmount": 0,
                     *       "RefundedAmount": 0,
                     *       "Refunds": [],
                     *       "History": [
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The payment was created.",
                     *           "Status": "Created"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The provider accepted it; waiting for the customer.",
                     *           "Status": "Pending"
                     *         }
                     *       ],
                     *       "CheckoutUrl": "https://checkout.example/c/cs_test_a1b2c3",
                     *       "ExpiresAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentRecord"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The PaymentIdentifier of the resource. */
                PaymentIdentifier: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PaymentProvider": "Stripe",
                     *       "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *       "Status": "PartiallyRefunded",
                     *       "PaymentId": "cs_test_a1b2c3",
                     *       "Reference": "INV-1001",
                     *       "Amount": 4500,
                     *       "Currency": "GBP",
                     *       "StatementDescriptor": "HARBOUR ST DENTAL",
                     *       "CardStatementText": "HARBOUR ST* HARBOUR ST",
                     *       "FeeAmount": 50,
                     *       "TipAmount": 0,
                     *       "RefundedAmount": 1500,
                     *       "Refunds": [
                     *         {
                     *           "RefundId": "019aa5c4-5b1e-7f02-a4d3-90c1e7b25f18",
                     *           "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *           "PaymentProvider": "Stripe",
                     *           "ProviderRefundId": "re_3Abc",
                     *           "Amount": 1500,
                     *           "Currency": "GBP",
                     *           "Status": "Succeeded",
                     *           "Reason": "One treatment less",
                     *           "Reference": "CREDIT-17",
                     *           "CreatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "History": [
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The payment was created.",
                     *           "Status": "Created"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The provider accepted it; waiting for the customer.",
                     *           "Status": "Pending"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "Paid: pi_3Abc",
                     *           "Status": "Completed"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "Refunded 1500 GBP",
                     *           "Status": "PartiallyRefunded"
                     *         }
                     *       ],
                     *       "PaidAmount": 4500,
                     *       "PaidCurrency": "GBP"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentRecord"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The PaymentIdentifier of the resource. */
                PaymentIdentifier: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "PaymentProvider": "Stripe",
                     *       "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *       "Status": "Cancelled",
                     *       "PaymentId": "cs_test_a1b2c3",
                     *       "Reference": "INV-1001",
                     *       "Amount": 4500,
                     *       "Currency": "GBP",
                     *       "StatementDescriptor": "HARBOUR ST DENTAL",
                     *       "CardStatementText": "HARBOUR ST* HARBOUR ST",
                     *       "FeeAmount": 50,
                     *       "TipAmount": 0,
                     *       "RefundedAmount": 0,
                     *       "Refunds": [],
                     *       "History": [
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The payment was created.",
                     *           "Status": "Created"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "The provider accepted it; waiting for the customer.",
                     *           "Status": "Pending"
                     *         },
                     *         {
                     *           "Timestamp": "2026-11-21T09:30:00.000Z",
                     *           "Description": "Cancelled by request of the client.",
                     *           "Status": "Cancelled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentRecord"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
            };
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The PaymentIdentifier of the resource. */
                PaymentIdentifier: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "RefundId": "019aa5c4-5b1e-7f02-a4d3-90c1e7b25f18",
                     *           "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *           "PaymentProvider": "Stripe",
                     *           "ProviderRefundId": "re_3Abc",
                     *           "Amount": 1500,
                     *           "Currency": "GBP",
                     *           "Status": "Succeeded",
                     *           "Reason": "One treatment less",
                     *           "Reference": "CREDIT-17",
                     *           "CreatedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RefundList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The PaymentIdentifier of the resource. */
                PaymentIdentifier: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Amount": 1500,
                 *       "Reason": "One treatment less",
                 *       "Reference": "CREDIT-17"
                 *     }
                 */
                "application/json": components["schemas"]["RefundCreation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "RefundId": "019aa5c4-5b1e-7f02-a4d3-90c1e7b25f18",
                     *       "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *       "PaymentProvider": "Stripe",
                     *       "ProviderRefundId": "re_3Abc",
                     *       "Amount": 1500,
                     *       "Currency": "GBP",
                     *       "Status": "Pending",
                     *       "Reason": "One treatment less",
                     *       "Reference": "CREDIT-17",
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RefundRecord"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The PaymentIdentifier of the resource. */
                PaymentIdentifier: components["schemas"]["Uuid"];
                /** @description The RefundIdentifier of the resource. */
                RefundIdentifier: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "RefundId": "019aa5c4-5b1e-7f02-a4d3-90c1e7b25f18",
                     *       "RecordId": "019aa5c2-7d10-7c3e-9f41-2b7f0c9a1e55",
                     *       "PaymentProvider": "Stripe",
                     *       "ProviderRefundId": "re_3Abc",
                     *       "Amount": 1500,
                     *       "Currency": "GBP",
                     *       "Status": "Succeeded",
                     *       "Reason": "One treatment less",
                     *       "Reference": "CREDIT-17",
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RefundRecord"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "accountId": "019aa5c1-19f4-7a02-8c11-6de2b0f4a733",
                     *         "paymentProvider": "Stripe",
                     *         "status": "None",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "externalAccountId": "acct_1Abc"
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["AccountList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "paymentProvider": "Stripe"
                 *     }
                 */
                "application/json": components["schemas"]["AccountCreation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account": {
                     *         "accountId": "019aa5c1-19f4-7a02-8c11-6de2b0f4a733",
                     *         "paymentProvider": "Stripe",
                     *         "status": "None",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "externalAccountId": "acct_1Abc"
                     *       },
                     *       "onboardingSession": {
                     *         "session": "REDACTED_SESSION",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "onboardingLink": {
                     *         "url": "https://api.example.com/onboarding/REDACTED",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountOnboarding"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "account": {
                     *         "accountId": "019aa5c1-19f4-7a02-8c11-6de2b0f4a733",
                     *         "paymentProvider": "Stripe",
                     *         "status": "None",
                     *         "createdAt": "2026-11-21T09:30:00.000Z",
                     *         "externalAccountId": "acct_1Abc"
                     *       },
                     *       "onboardingSession": {
                     *         "session": "REDACTED_SESSION",
                     *         "expiresAt": "2026-11-21T09:30:00.000Z"
                     *       },
                     *       "onboardingLink": {
                     *         "url": "https://api.example.com/onboarding/REDACTED",
                     *         "expiresAt": "2026-11-28T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["AccountOnboarding"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The AccountId of the resource. */
                AccountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountId": "019aa5c1-19f4-7a02-8c11-6de2b0f4a733",
                     *       "paymentProvider": "Stripe",
                     *       "status": "None",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "externalAccountId": "acct_1Abc"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentProviderAccount"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The AccountId of the resource. */
                AccountId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accountId": "019aa5c1-19f4-7a02-8c11-6de2b0f4a733",
                     *       "paymentProvider": "Stripe",
                     *       "status": "None",
                     *       "createdAt": "2026-11-21T09:30:00.000Z",
                     *       "externalAccountId": "acct_1Abc"
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentProviderAccount"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Headers": [
                     *         "X-Api-Key"
                     *       ],
                     *       "EventTypes": [
                     *         "payment.*",
                     *         "refund.*",
                     *         "dispute.*"
                     *       ],
                     *       "Labels": [
                     *         "payments",
                     *         "active"
                     *       ],
                     *       "Url": "https://pms.example/hooks/frontdesk"
                     *     }
                     */
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Headers": [
                 *         {
                 *           "Name": "X-Api-Key",
                 *           "Value": "REDACTED"
                 *         }
                 *       ],
                 *       "EventTypes": [
                 *         "payment.*",
                 *         "refund.*",
                 *         "dispute.*"
                 *       ],
                 *       "Url": "https://pms.example/hooks/frontdesk"
                 *     }
                 */
                "application/json": components["schemas"]["SubscriptionCreation"];
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Headers": [
                     *         {
                     *           "Name": "X-Api-Key",
                     *           "Value": "REDACTED"
                     *         }
                     *       ],
                     *       "EventTypes": [
                     *         "payment.*",
                     *         "refund.*",
                     *         "dispute.*"
                     *       ],
                     *       "Url": "https://pms.example/hooks/frontdesk",
                     *       "SigningSecret": "whsec_REDACTED"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedSubscription"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Headers": [
                     *         {
                     *           "Name": "X-Api-Key",
                     *           "Value": "REDACTED"
                     *         }
                     *       ],
                     *       "EventTypes": [
                     *         "payment.*",
                     *         "refund.*",
                     *         "dispute.*"
                     *       ],
                     *       "Url": "https://pms.example/hooks/frontdesk",
                     *       "SigningSecret": "whsec_REDACTED"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedSubscription"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Headers": [
                     *         {
                     *           "Name": "X-Api-Key",
                     *           "Value": "REDACTED"
                     *         }
                     *       ],
                     *       "EventTypes": [
                     *         "payment.*",
                     *         "refund.*",
                     *         "dispute.*"
                     *       ],
                     *       "Url": "https://pms.example/hooks/frontdesk"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedSubscription"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "SigningSecret": "whsec_REDACTED",
                     *       "PreviousSecretExpiresAt": "2026-11-22T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RotatedSecret"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
            };
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "SubscriptionId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *           "MadeBy": "client:pms",
                     *           "Receiver": "https://pms.example",
                     *           "Headers": [
                     *             "X-Api-Key"
                     *           ],
                     *           "EventTypes": [
                     *             "payment.*",
                     *             "refund.*",
                     *             "dispute.*"
                     *           ],
                     *           "Labels": [
                     *             "payments",
                     *             "active"
                     *           ],
                     *           "CreatedAt": "2026-11-21T09:30:00.000Z",
                     *           "ChangedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    endSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The SubscriptionId of the resource. */
                SubscriptionId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "SubscriptionId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *       "MadeBy": "client:pms",
                     *       "Receiver": "https://pms.example",
                     *       "Headers": [
                     *         "X-Api-Key"
                     *       ],
                     *       "EventTypes": [
                     *         "payment.*",
                     *         "refund.*",
                     *         "dispute.*"
                     *       ],
                     *       "Labels": [
                     *         "payments",
                     *         "active"
                     *       ],
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z",
                     *       "ChangedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["SubscriptionSummary"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it will happen soon. */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "DeliveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedDelivery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "RecoveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *       "Since": "2026-11-21T09:30:00.000Z",
                     *       "State": "completed",
                     *       "Deliveries": 200000,
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z",
                     *       "CompletedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "Since": "2026-11-21T09:30:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["RecoverRequest"];
            };
        };
        responses: {
            /** @description Accepted: it will happen soon. */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "RecoveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *       "Since": "2026-11-21T09:30:00.000Z",
                     *       "State": "running",
                     *       "Deliveries": 2000,
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
                /** @description Only items of this State. */
                State?: components["schemas"]["DeliveryState"][];
            };
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "DeliveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *           "EventId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *           "EventType": "payment.succeeded",
                     *           "State": "delivered",
                     *           "Attempts": 1,
                     *           "CreatedAt": "2026-11-21T09:30:00.000Z",
                     *           "CompletedAt": "2026-11-21T09:30:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The DeliveryId of the resource. */
                DeliveryId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "DeliveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *       "EventId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *       "EventType": "payment.succeeded",
                     *       "State": "delivered",
                     *       "Attempts": 1,
                     *       "CreatedAt": "2026-11-21T09:30:00.000Z",
                     *       "CompletedAt": "2026-11-21T09:30:00.000Z",
                     *       "AttemptList": [
                     *         {
                     *           "Number": 1,
                     *           "StartedAt": "2026-11-21T09:30:00.000Z",
                     *           "DurationMs": 12,
                     *           "Outcome": "delivered",
                     *           "StatusCode": 204
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The DeliveryId of the resource. */
                DeliveryId: components["schemas"]["Uuid"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it will happen soon. */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "DeliveryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10"
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedDelivery"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    publishEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "specversion": "1.0",
                 *       "id": "4711",
                 *       "source": "https://pms.example/appointments",
                 *       "type": "com.example.appointment.booked",
                 *       "time": "2026-11-21T09:30:00.000Z",
                 *       "visibility": 1,
                 *       "data": {
                 *         "appointment": "4711"
                 *       }
                 *     }
                 */
                "application/cloudevents+json": components["schemas"]["PublishedEvent"];
                /**
                 * @example [
                 *       {
                 *         "specversion": "1.0",
                 *         "id": "4711",
                 *         "source": "https://pms.example/appointments",
                 *         "type": "com.example.appointment.booked",
                 *         "time": "2026-11-21T09:30:00.000Z",
                 *         "visibility": 1,
                 *         "data": {
                 *           "appointment": "4711"
                 *         }
                 *       }
                 *     ]
                 */
                "application/cloudevents-batch+json": components["schemas"]["PublishedEvent"][];
            };
        };
        responses: {
            /** @description Accepted: it will happen soon. */
            202: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Accepted": 1
                     *     }
                     */
                    "application/json": components["schemas"]["AcceptedEvents"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Unprocessable"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the previous page. Send the same filters with it. */
                nextPageToken?: string;
                /** @description Only items of this RecordedFrom. */
                RecordedFrom?: string;
                /** @description Only items of this RecordedTo. */
                RecordedTo?: string;
            };
            header?: never;
            path: {
                /** @description The SiteSlug of the resource. */
                SiteSlug: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "Items": [
                     *         {
                     *           "EntryId": "019aa5c3-02aa-7b31-b0de-5f9d1c2e7a10",
                     *           "RecordedAt": "2026-11-21T09:30:00.000Z",
                     *           "Service": "registry",
                     *           "Operation": "rotateSiteKey",
                     *           "Outcome": "Succeeded",
                     *           "Principal": "client:harbour-pms",
                     *           "ClientAddress": "192.0.2.17",
                     *           "SiteSlug": "s7Kd92LmQx4A",
                     *           "OrganisationSlug": "o3Fh81PqZt6B",
                     *           "Targets": [
                     *             "site:s7Kd92LmQx4A",
                     *             "key:Primary"
                     *           ],
                     *           "RequestId": "4711",
                     *           "TraceId": "4bf92f3577b34da6a3ce929d0e0e4736"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AuditList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    "on.payment.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "payment.succeeded";
                    data: {
                        currency: string;
                        amount: number;
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.payment.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "payment.failed";
                    data: {
                        failureReason: string;
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.payment.cancelled": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "payment.cancelled";
                    data: {
                        cancellationReason: string;
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.refund.succeeded": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "refund.succeeded";
                    data: {
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                        refundId: components["schemas"]["Uuid"];
                        currency: string;
                        amount: number;
                        refundedAmount: number;
                        refundReference?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.refund.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "refund.failed";
                    data: {
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                        refundId: components["schemas"]["Uuid"];
                        currency: string;
                        amount: number;
                        refundedAmount: number;
                        refundReference?: string;
                        failureReason: string;
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.dispute.opened": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "dispute.opened";
                    data: {
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                        disputeId: string;
                        currency: string;
                        amount: number;
                        disputeReason?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "on.dispute.closed": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same in every attempt. */
                "webhook-id": string;
                /** @description The time of this attempt, in seconds since 1970. Refuse a request that is older than 5 minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 of the HMAC-SHA256 of id, timestamp and body. Spaces separate several signatures. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["Envelope"] & {
                    /** @constant */
                    type?: "dispute.closed";
                    data: {
                        reference?: string;
                        recordId: components["schemas"]["Uuid"];
                        paymentProvider: components["schemas"]["PaymentProvider"];
                        disputeId: string;
                        currency: string;
                        amount: number;
                        disputeReason?: string;
                        /** @enum {unknown} */
                        disputeOutcome: "won" | "lost";
                    };
                };
            };
        };
        responses: {
            /** @description Not sent again. Nothing more is sent to this address until you subscribe again. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description You cannot process it: not sent again. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`, as is everything else to this address. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again after `Retry-After`. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted: the delivery is complete. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Failed: sent again on the schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
