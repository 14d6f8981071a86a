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
        /**
         * Create a practice site
         * @description The site gets a slug, two API keys and, if you name none, an organisation of its own. Your client must have access to its practice management system.
         */
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
        /**
         * Delete a practice site
         * @description Its keys stop working, its open payments are cancelled, and no new ones can be made. If it is the last site of its owning organisation, the organisation is deleted as well.
         */
        delete: operations["deleteSite"];
        options?: never;
        head?: never;
        /**
         * Change a practice site
         * @description The body is a JSON merge patch: absent members stay as they are, and null removes one.
         */
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
        /**
         * Get the identity and the API keys of a practice site
         * @description For systems that must act for a site and no longer have its keys. Each call is recorded in the audit trail.
         */
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
        /**
         * Replace one of the API keys of a practice site
         * @description The replaced key stops working at once, and the subscription that it made is paused. The other key is not touched.
         */
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
        /**
         * List practice sites
         * @description The sites that you may see, in pages. All filters must hold; of the values of one filter any.
         */
        get: operations["listSites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/practice-management-systems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the practice management systems, with their codes
         * @description All systems that Frontdesk knows, and which of them your client has access to.
         */
        get: operations["listPracticeManagementSystems"];
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
        /**
         * List payments, newest first
         * @description The payments of the site, in pages. All filters must hold; of several statuses any.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Create a payment
         * @description Opens a checkout at the provider for the sum of the line items. Send the customer to `CheckoutUrl`, or embed the checkout, and wait for the event that tells the outcome. With an `Idempotency-Key`, the same request never makes a second payment.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of all your sites, newest first, as JSON or CSV
         * @description The payments of every site that you may see, in pages. All filters must hold; of several sites or statuses any. With `Accept: text/csv` a page is a table, and `Link` has the address of the next one.
         */
        get: operations["listAllPayments"];
        put?: never;
        post?: never;
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
        /**
         * Get a payment
         * @description Returns its present status, history and refunds. A payment that is open is compared with the provider first, if that is quick.
         */
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
        /**
         * Cancel a payment
         * @description Closes the checkout at the provider, so that nobody can pay any more. If the customer was quicker, the payment follows the money and is not cancelled.
         */
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
        /**
         * List the refunds of a payment, newest first
         * @description All refunds of the payment in pages, also those made in the provider's dashboard.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund a payment, in part or what is left of it
         * @description Gives money back to the customer. The refunds that have not failed never add up to more than was taken. With an `Idempotency-Key`, the same request never refunds twice.
         */
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
        /**
         * Get a refund
         * @description Returns its present status.
         */
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
        /**
         * List the payment provider accounts of a site
         * @description The accounts that were not deleted. There are no pages: a site has at most one for each provider.
         */
        get: operations["listAccounts"];
        put?: never;
        /**
         * Create a payment provider account, or onboard it again
         * @description A site has one account at each provider. If it has one, you get it with a new session and a new link of onboarding. The account can take payments once its status is `Active`.
         */
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
        /**
         * Get a payment provider account
         * @description Returns its present status, which follows the provider.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        /**
         * Delete a payment provider account
         * @description The site takes no more payments at this provider. Payments that are open must be cancelled first, or end.
         */
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
        /**
         * Get the subscription
         * @description Returns your subscription to the site, without the values of its headers and without its secret.
         */
        get: operations["getSubscription"];
        put?: never;
        /**
         * Subscribe to payment events
         * @description Makes your subscription to events of the site, or replaces it: you have one for each site. The answer to a new one has the key with which you verify deliveries.
         */
        post: operations["subscribe"];
        /**
         * Unsubscribe from payment events
         * @description Ends your subscription. What waits to be delivered is dropped.
         */
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
        /**
         * Replace the signing secret
         * @description The new secret signs at once, and the one before beside it for 24 hours.
         */
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
        /**
         * List all subscriptions of the site, whoever made them
         * @description For the owner of a site: who receives its events, in pages. Nothing is told that may be a secret of its maker.
         */
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
        /**
         * End a subscription of the site, whoever made it
         * @description For the owner of a site: ends a subscription that somebody else has made as well.
         */
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
        /**
         * Send a test event to your subscription
         * @description Delivers an event of the type `subscription.test` to your receiver, signed like all others.
         */
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
        /**
         * Get how far your latest recovery has come
         * @description Tells how many deliveries your latest recovery has made due so far.
         */
        get: operations["getRecovery"];
        put?: never;
        /**
         * Deliver again all events since a time that were not delivered
         * @description Makes all deliveries due again whose events came since then and were not delivered, at most 14 days back. It goes on after the answer.
         */
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
        /**
         * List deliveries, newest first
         * @description The deliveries of your subscription, in pages.
         */
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
        /**
         * Get a delivery and its attempts
         * @description Returns each attempt with the reply of your receiver.
         */
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
        /**
         * Send a delivery again
         * @description Makes a delivery due that has ended, at most 14 days after its event.
         */
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
        /**
         * Publish events of an external system
         * @description Publishes one CloudEvent or a batch of up to 100: all of a batch, or none. Your client needs a registered source, which `source` must be under. An event with the same `source` and `id` as an earlier one is the same event.
         */
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
        /**
         * List who did what to a site, newest first
         * @description What clients, site API keys and visitors of onboarding links did to the site, also what was refused or failed. Entries are kept for 400 days. Needs a token; site API keys are refused.
         */
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
    "account.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The status of a payment provider account changed, for example to Active, with which it can take payments.
         * @description Signed by Standard Webhooks 1.0. Verify `webhook-signature` first, and ignore a `webhook-id` that you have seen before.
         */
        post: operations["on.account.status_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A delivery that will be made soon. */
        AcceptedDelivery: {
            /** @description The id of the delivery. */
            DeliveryId: components["schemas"]["Uuid"];
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
            paymentProvider: components["schemas"]["PaymentProvider"];
            /**
             * Format: uri
             * @description Where the practice goes back to from onboarding, for instance the payment settings of your software: an https address. Our page after onboarding links to it, however onboarding ended.
             */
            returnUrl?: string;
        };
        /** @description The payment provider accounts of a site. */
        AccountList: components["schemas"]["PaymentProviderAccount"][];
        /** @description An account with two ways to its onboarding. */
        AccountOnboarding: {
            account: components["schemas"]["PaymentProviderAccount"];
            onboardingSession: components["schemas"]["OnboardingSession"];
            onboardingLink: components["schemas"]["OnboardingLink"];
        };
        /** @description A page of payments of several sites. */
        AllPaymentsList: {
            /** @description The items of this page. */
            Items: components["schemas"]["PaymentOfSite"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
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
        AnyAccountStatus: string;
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
        AnyAuditOutcome: string;
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
        AnyDeliveryState: string;
        /**
         * @description A payment provider.
         *
         *     - `Stripe`: Stripe, with Connect accounts.
         *     - `Sandbox`: A simulation of Stripe without money. Not available in production.
         *
         *     More values may be added: take any other text, too.
         */
        AnyPaymentProvider: string;
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
        AnyPaymentStatus: string;
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
        AnyRefundStatus: string;
        /**
         * @description The status of a site.
         *
         *     - `Operational`: It can take payments.
         *     - `Suspended`: It takes no new payments. Refunds and events go on.
         *     - `Closed`: The practice is closed: it takes no new payments.
         *
         *     More values may be added: take any other text, too.
         */
        AnySiteStatus: string;
        /** @description An act on a site. It never holds a secret. */
        AuditEntry: {
            /** @description The id of the entry. */
            EntryId: components["schemas"]["Uuid"];
            /** @description When it was recorded. */
            RecordedAt: components["schemas"]["DateTime"];
            /** @description The service that recorded it. */
            Service: string;
            /** @description The operation, by its `operationId` in this document. */
            Operation: string;
            Outcome: components["schemas"]["AnyAuditOutcome"];
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
            Items: components["schemas"]["AuditEntry"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A position on a map (WGS 84). */
        Coordinates: {
            /** @description Degrees north of the equator. */
            Latitude: number;
            /** @description Degrees east of Greenwich. */
            Longitude: number;
        };
        /**
         * @description A country code of ISO 3166-1 alpha-2.
         * @enum {string}
         */
        Country: "AD" | "AE" | "AF" | "AG" | "AI" | "AL" | "AM" | "AO" | "AQ" | "AR" | "AS" | "AT" | "AU" | "AW" | "AX" | "AZ" | "BA" | "BB" | "BD" | "BE" | "BF" | "BG" | "BH" | "BI" | "BJ" | "BL" | "BM" | "BN" | "BO" | "BQ" | "BR" | "BS" | "BT" | "BV" | "BW" | "BY" | "BZ" | "CA" | "CC" | "CD" | "CF" | "CG" | "CH" | "CI" | "CK" | "CL" | "CM" | "CN" | "CO" | "CR" | "CU" | "CV" | "CW" | "CX" | "CY" | "CZ" | "DE" | "DJ" | "DK" | "DM" | "DO" | "DZ" | "EC" | "EE" | "EG" | "EH" | "ER" | "ES" | "ET" | "FI" | "FJ" | "FK" | "FM" | "FO" | "FR" | "GA" | "GB" | "GD" | "GE" | "GF" | "GG" | "GH" | "GI" | "GL" | "GM" | "GN" | "GP" | "GQ" | "GR" | "GS" | "GT" | "GU" | "GW" | "GY" | "HK" | "HM" | "HN" | "HR" | "HT" | "HU" | "ID" | "IE" | "IL" | "IM" | "IN" | "IO" | "IQ" | "IR" | "IS" | "IT" | "JE" | "JM" | "JO" | "JP" | "KE" | "KG" | "KH" | "KI" | "KM" | "KN" | "KP" | "KR" | "KW" | "KY" | "KZ" | "LA" | "LB" | "LC" | "LI" | "LK" | "LR" | "LS" | "LT" | "LU" | "LV" | "LY" | "MA" | "MC" | "MD" | "ME" | "MF" | "MG" | "MH" | "MK" | "ML" | "MM" | "MN" | "MO" | "MP" | "MQ" | "MR" | "MS" | "MT" | "MU" | "MV" | "MW" | "MX" | "MY" | "MZ" | "NA" | "NC" | "NE" | "NF" | "NG" | "NI" | "NL" | "NO" | "NP" | "NR" | "NU" | "NZ" | "OM" | "PA" | "PE" | "PF" | "PG" | "PH" | "PK" | "PL" | "PM" | "PN" | "PR" | "PS" | "PT" | "PW" | "PY" | "QA" | "RE" | "RO" | "RS" | "RU" | "RW" | "SA" | "SB" | "SC" | "SD" | "SE" | "SG" | "SH" | "SI" | "SJ" | "SK" | "SL" | "SM" | "SN" | "SO" | "SR" | "SS" | "ST" | "SV" | "SX" | "SY" | "SZ" | "TC" | "TD" | "TF" | "TG" | "TH" | "TJ" | "TK" | "TL" | "TM" | "TN" | "TO" | "TR" | "TT" | "TV" | "TW" | "TZ" | "UA" | "UG" | "UM" | "US" | "UY" | "UZ" | "VA" | "VC" | "VE" | "VG" | "VI" | "VN" | "VU" | "WF" | "WS" | "YE" | "YT" | "ZA" | "ZM" | "ZW";
        /** @description Your subscription, with the values of its headers. */
        CreatedSubscription: {
            /** @description The headers that are sent with each delivery. */
            Headers: components["schemas"]["WebhookHeader"][];
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
        /**
         * @description A currency code of ISO 4217.
         * @enum {string}
         */
        Currency: "AED" | "AFN" | "ALL" | "AMD" | "ANG" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BGN" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BOV" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHE" | "CHF" | "CHW" | "CLF" | "CLP" | "CNY" | "COP" | "COU" | "CRC" | "CUC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MXV" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "USN" | "UYI" | "UYU" | "UYW" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAF" | "XAG" | "XAU" | "XBA" | "XBB" | "XBC" | "XBD" | "XCD" | "XDR" | "XOF" | "XPD" | "XPF" | "XPT" | "XSU" | "XTS" | "XUA" | "XXX" | "YER" | "ZAR" | "ZMW" | "ZWG";
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
            PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
            /** @description The id of the organisation in its practice management system. */
            PmsSpecificOrganisationId: string;
            /** @description The identifier that the organisation had. */
            OrganisationSlug: components["schemas"]["Slug"];
        };
        /** @description A site that was deleted, and its organisation if that was deleted along with it. */
        DeletedSite: {
            Identity: components["schemas"]["Identity"];
            DeletedOrganisation?: components["schemas"]["DeletedOrganisation"];
        };
        /** @description A delivery with its attempts. */
        Delivery: {
            /** @description The id of the delivery. */
            DeliveryId: components["schemas"]["Uuid"];
            /** @description The id of the event, which is the `webhook-id` of each attempt. */
            EventId: components["schemas"]["Uuid"];
            /** @description The type of the event. */
            EventType: string;
            State: components["schemas"]["AnyDeliveryState"];
            /**
             * Format: int32
             * @description How often it was attempted.
             */
            Attempts: number;
            /** @description When we received the event. */
            CreatedAt: components["schemas"]["DateTime"];
            /** @description When it is attempted next, while it waits. */
            NextAttemptAt?: components["schemas"]["DateTime"];
            /** @description When it ended. */
            CompletedAt?: components["schemas"]["DateTime"];
            /** @description All attempts, oldest first. */
            AttemptList: components["schemas"]["DeliveryAttempt"][];
        };
        /** @description One request that tried to make a delivery. */
        DeliveryAttempt: {
            /**
             * Format: int32
             * @description Counts the attempts, from 1.
             */
            Number: number;
            /** @description When the request was sent. */
            StartedAt: components["schemas"]["DateTime"];
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
            ResponseBodyEncoding?: string;
        };
        /** @description A page of deliveries. */
        DeliveryList: {
            /** @description The items of this page. */
            Items: components["schemas"]["DeliverySummary"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
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
            DeliveryId: components["schemas"]["Uuid"];
            /** @description The id of the event, which is the `webhook-id` of each attempt. */
            EventId: components["schemas"]["Uuid"];
            /** @description The type of the event. */
            EventType: string;
            State: components["schemas"]["AnyDeliveryState"];
            /**
             * Format: int32
             * @description How often it was attempted.
             */
            Attempts: number;
            /** @description When we received the event. */
            CreatedAt: components["schemas"]["DateTime"];
            /** @description When it is attempted next, while it waits. */
            NextAttemptAt?: components["schemas"]["DateTime"];
            /** @description When it ended. */
            CompletedAt?: components["schemas"]["DateTime"];
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
            time?: components["schemas"]["DateTime"] | null;
            /** @description The media type of `data`. When absent, JSON. */
            datacontenttype?: string | null;
            /** @description The address of the schema of `data`. */
            dataschema?: string | null;
            /** @description The site that it happened at. */
            siteslug?: components["schemas"]["Slug"];
            /** @description The event is not delivered after this time. */
            expirytime?: components["schemas"]["DateTime"] | null;
            /** @description The event is not delivered before this time. */
            intendeddeliverytime?: components["schemas"]["DateTime"] | null;
            /** @description The trace that it belongs to (W3C Trace Context). */
            traceparent?: string | null;
            /** @description The state of the trace (W3C Trace Context). */
            tracestate?: string;
            /** @description Waiting deliveries of a higher priority go first. When absent, 0. */
            priority?: number | null;
            /** @description The organisation that owns the site. */
            organisationslug?: components["schemas"]["Slug"];
            /** @description The organisation that is billed for the site. */
            billingorganisationslug?: components["schemas"]["Slug"];
            /** @description The practice management system of the site. */
            product?: components["schemas"]["PracticeManagementSoftware"];
            /** @description Where the data can be found, if it is not in the event. */
            dataref?: string | null;
            /** @description Who may see the event. Absent or null is 0, Internal. */
            visibility?: components["schemas"]["EventVisibility"] | null;
            /** @description A billable item with its options: it decides the cost. */
            billingsku?: string | null;
            /** @description How many of the SKU are billed. When absent, 1. */
            billingpax?: number | null;
            /** @description The id of the practice in its practice management system. */
            pmsspecificid?: string;
        } & {
            [key: string]: unknown;
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
            Timestamp: components["schemas"]["DateTime"];
            /** @description What happened. */
            Description: string;
            /** @description The status from then on. */
            Status: components["schemas"]["AnyPaymentStatus"];
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
            PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
            /** @description The id of the site in its practice management system; its slug until the system sets one. */
            PmsSpecificSiteId: string;
            /** @description The identifier of the site, for ever. */
            SiteSlug: components["schemas"]["Slug"];
            /** @description The organisation that owns the site. */
            OwningOrganisationSlug: components["schemas"]["Slug"];
            /** @description The organisation that is billed for the site. */
            BillingOrganisationSlug: components["schemas"]["Slug"];
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
            expiresAt: components["schemas"]["DateTime"];
        };
        /** @description A session of onboarding that is embedded in your own page. */
        OnboardingSession: {
            /** @description A secret of the provider, with which its front end shows onboarding in your own page. */
            session: string;
            /** @description Until when the session can be used. */
            expiresAt: components["schemas"]["DateTime"];
        };
        /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
        PageToken: string;
        /** @description A new payment. */
        PaymentCreation: {
            /** @description The payment provider that takes the money. */
            PaymentProvider: components["schemas"]["PaymentProvider"];
            /** @description The currency of the payment, by its code of ISO 4217. */
            Currency: components["schemas"]["Currency"];
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
            LineItems?: components["schemas"]["PaymentLineItem"][];
            UiMode?: components["schemas"]["PaymentUiMode"];
            /** @description Where the customer is sent after a successful payment, in hosted mode: an absolute URL. `{CHECKOUT_SESSION_ID}` in it becomes the `PaymentId`. Absent: a page of ours. */
            SuccessUrl?: string;
            /** @description Where the checkout sends a customer who goes back: an absolute URL. Absent: no back button. */
            CancelUrl?: components["schemas"]["HttpUrl"];
        };
        /** @description A line of a payment. */
        PaymentLineItem: {
            /** @description The price of one, in minor units of the currency of the payment. */
            Price: components["schemas"]["MinorUnits"];
            /**
             * Format: int64
             * @description How many. Defaults to 1.
             */
            Quantity?: number;
            /** @description What the customer pays for, as the checkout shows it. */
            ProductName: string;
            /** @description More about it, as the checkout shows it. */
            ProductDescription?: string;
            TaxBehaviour?: components["schemas"]["TaxBehaviour"];
        };
        /** @description A page of payments. */
        PaymentList: {
            /** @description The items of this page. */
            Items: components["schemas"]["PaymentRecord"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A payment, with its site. */
        PaymentOfSite: {
            /** @description The site that the payment was created for. */
            SiteSlug: components["schemas"]["Slug"];
            /** @description The payment provider that takes the money. */
            PaymentProvider: components["schemas"]["AnyPaymentProvider"];
            /** @description Our id of the payment. */
            RecordId: components["schemas"]["Uuid"];
            Status: components["schemas"]["AnyPaymentStatus"];
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
            Refunds: components["schemas"]["RefundRecord"][];
            /** @description All changes of the status, oldest first. */
            History: components["schemas"]["HistoryEntry"][];
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
            ExpiresAt?: components["schemas"]["DateTime"];
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
            accountId: components["schemas"]["Uuid"];
            /** @description The payment provider of the account. */
            paymentProvider: components["schemas"]["AnyPaymentProvider"];
            status: components["schemas"]["AnyAccountStatus"];
            /** @description When it was created. */
            createdAt: components["schemas"]["DateTime"];
            /** @description The provider's id of the account, once the provider has confirmed it. */
            externalAccountId?: string;
        };
        /** @description A payment: one request for money, with one checkout. */
        PaymentRecord: {
            /** @description The payment provider that takes the money. */
            PaymentProvider: components["schemas"]["AnyPaymentProvider"];
            /** @description Our id of the payment. */
            RecordId: components["schemas"]["Uuid"];
            Status: components["schemas"]["AnyPaymentStatus"];
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
            Refunds: components["schemas"]["RefundRecord"][];
            /** @description All changes of the status, oldest first. */
            History: components["schemas"]["HistoryEntry"][];
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
            ExpiresAt?: components["schemas"]["DateTime"];
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
                PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
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
            errors?: components["schemas"]["ProblemFault"][];
        } & {
            [key: string]: unknown;
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
            time?: components["schemas"]["DateTime"] | null;
            /** @description The media type of `data`. When absent, JSON. */
            datacontenttype?: string | null;
            /** @description The address of the schema of `data`. */
            dataschema?: string | null;
            /** @description The site that it happened at. */
            siteslug?: components["schemas"]["Slug"];
            /** @description The event is not delivered after this time. */
            expirytime?: components["schemas"]["DateTime"] | null;
            /** @description The event is not delivered before this time. */
            intendeddeliverytime?: components["schemas"]["DateTime"] | null;
            /** @description The trace that it belongs to (W3C Trace Context). */
            traceparent?: string | null;
            /** @description The state of the trace (W3C Trace Context). */
            tracestate?: string;
            /** @description Waiting deliveries of a higher priority go first. When absent, 0. */
            priority?: number | null;
            /** @description The organisation that owns the site. */
            organisationslug?: components["schemas"]["Slug"];
            /** @description The organisation that is billed for the site. */
            billingorganisationslug?: components["schemas"]["Slug"];
            /** @description The practice management system of the site. */
            product?: components["schemas"]["PracticeManagementSoftware"];
            /** @description Where the data can be found, if it is not in the event. */
            dataref?: string | null;
            /** @description Who may see the event. Absent or null is 0, Internal. */
            visibility?: components["schemas"]["EventVisibility"] | null;
            /** @description A billable item with its options: it decides the cost. */
            billingsku?: string | null;
            /** @description How many of the SKU are billed. When absent, 1. */
            billingpax?: number | null;
            /** @description The id of the practice in its practice management system. */
            pmsspecificid?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description A batch of CloudEvents: all are published, or none. */
        PublishedEventBatch: components["schemas"]["PublishedEvent"][];
        /** @description What is delivered again. */
        RecoverRequest: {
            /** @description Events that we received since this time are delivered again. */
            Since: components["schemas"]["DateTime"];
        };
        /** @description How far a recovery has come. */
        Recovery: {
            /** @description The id of the recovery. */
            RecoveryId: components["schemas"]["Uuid"];
            /** @description Since when; at most 14 days back. */
            Since: components["schemas"]["DateTime"];
            /**
             * @description Whether the recovery goes on.
             *
             *     - `running`: It goes on.
             *     - `completed`: All deliveries were made due.
             *
             *     More values may be added: take any other text, too.
             */
            State: string;
            /**
             * Format: int32
             * @description The deliveries that were made due so far.
             */
            Deliveries: number;
            /** @description When it was requested. */
            CreatedAt: components["schemas"]["DateTime"];
            /** @description When it was completed. */
            CompletedAt?: components["schemas"]["DateTime"];
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
            Items: components["schemas"]["RefundRecord"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A refund of a payment, whoever made it: you, or somebody in the provider's dashboard. */
        RefundRecord: {
            /** @description Our id of the refund. */
            RefundId: components["schemas"]["Uuid"];
            /** @description Our id of the payment. */
            RecordId: components["schemas"]["Uuid"];
            /** @description The payment provider of the payment. */
            PaymentProvider: components["schemas"]["AnyPaymentProvider"];
            /** @description The provider's id of the refund, once the provider has answered. */
            ProviderRefundId?: string;
            /**
             * Format: int64
             * @description The money that goes back, in minor units of `Currency`.
             */
            Amount: number;
            /** @description The currency that was taken. A code of ISO 4217. */
            Currency: string;
            Status: components["schemas"]["AnyRefundStatus"];
            /** @description Your reason. */
            Reason?: string;
            /** @description Your reference. Absent for refunds made in the provider's dashboard. */
            Reference?: string;
            /** @description Why it failed, in the provider's words. */
            FailureReason?: string;
            /** @description When it was created. */
            CreatedAt: components["schemas"]["DateTime"];
        };
        /** @description The new key of your subscription. */
        RotatedSecret: {
            /** @description The secret with which you verify deliveries (`whsec_…`). Keep it: it is not told again. Absent if the answer is to a change, or signing is asymmetric. */
            SigningSecret?: string;
            /** @description The public key with which you verify deliveries (`whpk_…`), if signing is asymmetric. */
            PublicKey?: string;
            /** @description Until when the secret before signs beside the new one. */
            PreviousSecretExpiresAt: components["schemas"]["DateTime"];
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
            Name?: components["schemas"]["SiteName"];
            /** @description Where the practice is. Null removes it. */
            Address?: components["schemas"]["StreetAddressChange"] | null;
            /** @description Where the practice gets its mail. Null removes it. */
            PostalAddress?: components["schemas"]["StreetAddressChange"] | null;
            /** @description The phone number of the practice (E.164), such as `+441632960123`. Null removes it. */
            PhoneNumber?: string | null;
            /** @description The e-mail address of the practice. Null removes it. */
            EmailAddress?: string | null;
            /** @description The currency of the practice, by its code of ISO 4217. Null removes it. */
            Currency?: components["schemas"]["Currency"] | null;
            /** @description Where the practice is on a map. Null removes it. */
            Coordinates?: components["schemas"]["Coordinates"] | null;
            /** @description The id of the practice in a mapping service. Null removes it. */
            MapPlaceId?: string | null;
            /** @description The version of the practice management system that the site runs. Null removes it. */
            ApplicationVersion?: string | null;
            /** @description The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist. Null removes it. */
            WebhookUrl?: components["schemas"]["HttpUrl"] | null;
            SiteStatus?: components["schemas"]["SiteStatus"];
            PmsSpecificSiteId?: components["schemas"]["PmsSpecificId"];
        };
        /** @description A new practice site. */
        SiteCreation: {
            Name: components["schemas"]["SiteName"];
            /** @description Where the practice is. */
            Address?: components["schemas"]["StreetAddress"];
            /** @description Where the practice gets its mail. */
            PostalAddress?: components["schemas"]["StreetAddress"];
            /** @description The phone number of the practice (E.164), such as `+441632960123`. */
            PhoneNumber?: string;
            /**
             * Format: idn-email
             * @description The e-mail address of the practice.
             */
            EmailAddress?: string;
            /** @description The organisation that will own the site. Absent: a new one, with the name of the practice. */
            OwningOrganisationSlug?: components["schemas"]["Slug"];
            /** @description The organisation that will be billed for the site. Absent: the one that owns it. */
            BillingOrganisationSlug?: components["schemas"]["Slug"];
            /** @description The currency of the practice, by its code of ISO 4217. */
            Currency?: components["schemas"]["Currency"];
            /** @description The address for the webhooks of subscriptions to this site that name no `Url` and whose client has no registered address: those of the site's own API keys, for instance. A new site has the registered address of the client that creates it. Whoever may read the site reads it: put secrets into `Headers`. A change does not move subscriptions that exist. */
            WebhookUrl?: components["schemas"]["HttpUrl"];
        };
        /** @description A page of practice sites. */
        SiteList: {
            /** @description The items of this page. */
            Items: components["schemas"]["SiteListItem"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A practice site. */
        SiteListItem: {
            /** @description The practice management system of the site. */
            PracticeManagementSoftware: components["schemas"]["PracticeManagementSoftware"];
            /** @description The id of the site in its practice management system; its slug until the system sets one. */
            PmsSpecificSiteId: string;
            /** @description The identifier of the site, for ever. */
            SiteSlug: components["schemas"]["Slug"];
            /** @description The organisation that owns the site. */
            OwningOrganisationSlug: components["schemas"]["Slug"];
            /** @description The organisation that is billed for the site. */
            BillingOrganisationSlug: components["schemas"]["Slug"];
            /** @description The name of the practice. */
            Name: string;
            /** @description Where the practice is. */
            Address?: components["schemas"]["StreetAddress"];
            /** @description Where the practice gets its mail. */
            PostalAddress?: components["schemas"]["StreetAddress"];
            /** @description Where the practice is on a map. */
            Coordinates?: components["schemas"]["Coordinates"];
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
            WebhookUrl?: components["schemas"]["HttpUrl"];
            SiteStatus: components["schemas"]["AnySiteStatus"];
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
            Identity: components["schemas"]["Identity"];
            PracticeSiteApiKeys: components["schemas"]["PracticeSiteApiKeys"];
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
            Country?: components["schemas"]["Country"];
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
            Country?: components["schemas"]["Country"] | null;
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
            Headers?: components["schemas"]["WebhookHeader"][];
            /** @description The types of the events that you want: types of ours, `payment.*`, `refund.*` and `dispute.*` for all of a kind, or exact types of external systems. */
            EventTypes: string[];
            /** @description Where events are delivered. Absent: the address that is registered for your client. */
            Url?: components["schemas"]["HttpUrl"];
            /** @description How deliveries are signed. Absent: `Symmetric` for a new subscription, and as before for one that is replaced. */
            Signing?: components["schemas"]["Signing"];
        };
        /** @description A page of subscriptions. */
        SubscriptionList: {
            /** @description The items of this page. */
            Items: components["schemas"]["SubscriptionSummary"][];
            /** @description Send it as `nextPageToken` for the next page. Absent: this page is the last one. */
            NextPageToken?: string;
        };
        /** @description A subscription as everybody sees it who has access to the site. */
        SubscriptionSummary: {
            /** @description The id of the subscription. */
            SubscriptionId: components["schemas"]["Uuid"];
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
            CreatedAt: components["schemas"]["DateTime"];
            /** @description When it was last changed. */
            ChangedAt: components["schemas"]["DateTime"];
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
    };
    responses: {
        /**
         * @description Malformed Request
         *
         *     - `malformed_request`: The request is malformed
         *     - `malformed_json`: The body is not valid JSON
         */
        MalformedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/errors#malformed_request",
                 *       "title": "The request is malformed",
                 *       "status": 400,
                 *       "code": "malformed_request",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /**
         * @description Unauthorized
         *
         *     - `unauthorized`: Proof of identity must be provided
         */
        Unauthorized: {
            headers: {
                /** @description The challenge (RFC 6750). */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/errors#unauthorized",
                 *       "title": "Proof of identity must be provided",
                 *       "status": 401,
                 *       "code": "unauthorized",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /**
         * @description Forbidden
         *
         *     - `scope_missing`: Your credentials lack the scope of this operation
         */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/errors#scope_missing",
                 *       "title": "Your credentials lack the scope of this operation",
                 *       "status": 403,
                 *       "code": "scope_missing",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /**
         * @description Too many requests
         *
         *     - `rate_limited`: Too many requests
         */
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
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /**
         * @description User Error
         *
         *     - `not_acceptable`: Nothing that you accept is available
         *     - `request_timeout`: Your request did not arrive in time
         *     - `body_too_large`: The body is too large
         *     - `uri_too_long`: The address is too long
         *     - `media_type_unsupported`: The content type is not supported
         *     - `headers_too_large`: The headers are too large
         */
        UserError: {
            headers: {
                /** @description Seconds to wait before you send the same request again (409). */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/errors#not_acceptable",
                 *       "title": "Nothing that you accept is available",
                 *       "status": 406,
                 *       "code": "not_acceptable",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
            };
        };
        /**
         * @description Server Error
         *
         *     - `internal_error`: Something went wrong on our side
         *     - `upstream_failed`: One of our services gave no valid answer
         *     - `service_unavailable`: The service is not available right now: try again later
         *     - `overloaded`: The service is overloaded: try again later
         *     - `deadline_exceeded`: The request took too long
         */
        ServerError: {
            headers: {
                /** @description Seconds to wait before you try again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "type": "/docs/errors#internal_error",
                 *       "title": "Something went wrong on our side",
                 *       "status": 500,
                 *       "code": "internal_error",
                 *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                 *     }
                 */
                "application/problem+json": components["schemas"]["ProblemDetails"];
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
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
                /** @description The practice management system that the site belongs to. Required if your client has access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `organisation_unknown`: This organisation does not exist or is not yours
             *     - `organisation_required`: You must name one of your organisations
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#organisation_unknown",
                     *       "title": "This organisation does not exist or is not yours",
                     *       "status": 422,
                     *       "code": "organisation_unknown",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `conflict`: The request conflicts with the current state
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The practice management system that is meant, if you have access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
            };
            path: {
                /** @description The slug of the site, or its id in the practice management system. */
                SiteIdentifier: components["schemas"]["PmsSpecificId"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeSite: {
        parameters: {
            query?: never;
            header?: {
                /** @description The practice management system that is meant, if you have access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
            };
            path: {
                /** @description The slug of the site, or its id in the practice management system. */
                SiteIdentifier: components["schemas"]["PmsSpecificId"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `pms_specific_id_taken`: Another site of this practice management system has this id
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSiteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description The practice management system that is meant, if you have access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
            };
            path: {
                /** @description The slug of the site, or its id in the practice management system. */
                SiteIdentifier: components["schemas"]["PmsSpecificId"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateSiteKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
                /** @description The practice management system that is meant, if you have access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
            };
            path: {
                /** @description The slug of the site, or its id in the practice management system. */
                SiteIdentifier: components["schemas"]["PmsSpecificId"];
                /**
                 * @description The API key of a site that is replaced.
                 *
                 *     - `Primary`: The `PrimaryKey`.
                 *     - `Secondary`: The `SecondaryKey`.
                 */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSites: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
                /** @description Only these sites. */
                Sites?: components["schemas"]["Slug"][];
                /** @description Only sites that one of these organisations owns. */
                OwningOrganisations?: components["schemas"]["Slug"][];
                /** @description Only sites for which one of these organisations is billed. */
                BillingOrganisations?: components["schemas"]["Slug"][];
                /** @description Only sites with an `Address` in one of these countries. */
                Countries?: components["schemas"]["Country"][];
                /** @description With `true` only operational sites, with `false` only the others. */
                isActive?: boolean;
            };
            header?: {
                /** @description The practice management system that is meant, if you have access to several. */
                "X-Practice-Management-Software"?: components["schemas"]["PracticeManagementSoftware"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `practice_management_software_unknown`: This practice management software is not known
             *     - `practice_management_software_required`: You must send X-Practice-Management-Software
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            /**
             * @description Forbidden
             *
             *     - `scope_missing`: Your credentials lack the scope of this operation
             *     - `practice_management_software_forbidden`: No access to this practice management software
             */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#scope_missing",
                     *       "title": "Your credentials lack the scope of this operation",
                     *       "status": 403,
                     *       "code": "scope_missing",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPracticeManagementSystems: {
        parameters: {
            query?: never;
            header?: never;
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
                     *           "PracticeManagementSoftware": "Dentally",
                     *           "DisplayName": "Dentally",
                     *           "Sector": "Dental",
                     *           "IsAccessible": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PracticeManagementSystemList"];
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
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
                /** @description Only payments with one of these statuses. */
                Status?: components["schemas"]["PaymentStatus"][];
                /** @description Only payments of this provider. */
                PaymentProvider?: components["schemas"]["PaymentProvider"];
                /** @description Only payments with exactly this reference. */
                Reference?: string;
                /** @description Only payments that were created at this time or later. */
                CreatedFrom?: components["schemas"]["DateTime"];
                /** @description Only payments that were created before this time. */
                CreatedTo?: components["schemas"]["DateTime"];
            };
            header?: never;
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `line_items_required`: A payment needs at least one line item
             *     - `amount_too_small`: The amount is below the minimum
             *     - `amount_too_large`: The amount is above the maximum
             *     - `currency_unsupported`: The provider does not support this currency
             *     - `amount_not_representable`: The provider cannot charge this amount in this currency
             *     - `statement_descriptor_refused`: The statement descriptor has characters the provider refuses
             *     - `provider_not_available`: This payment provider is not enabled
             *     - `provider_account_not_ready`: The site has no account at this provider that can take payments
             *     - `provider_rejected`: The payment provider refused the request
             *     - `ui_mode_unsupported`: The payment provider does not support this UI mode
             *     - `declined`: The payment was declined
             *     - `site_suspended`: The site does not accept new payments
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Server Error
             *
             *     - `internal_error`: Something went wrong on our side
             *     - `provider_credentials`: The payment provider refused our credentials
             *     - `upstream_failed`: One of our services gave no valid answer
             *     - `service_unavailable`: The service is not available right now: try again later
             *     - `provider_unavailable`: The payment provider is not available right now: try again later
             *     - `provider_outcome_unknown`: The outcome at the payment provider is not known yet
             *     - `overloaded`: The service is overloaded: try again later
             *     - `deadline_exceeded`: The request took too long
             */
            "5XX": {
                headers: {
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#internal_error",
                     *       "title": "Something went wrong on our side",
                     *       "status": 500,
                     *       "code": "internal_error",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listAllPayments: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
                /** @description Only payments with one of these statuses. */
                Status?: components["schemas"]["PaymentStatus"][];
                /** @description Only payments of this provider. */
                PaymentProvider?: components["schemas"]["PaymentProvider"];
                /** @description Only payments with exactly this reference. */
                Reference?: string;
                /** @description Only payments that were created at this time or later. */
                CreatedFrom?: components["schemas"]["DateTime"];
                /** @description Only payments that were created before this time. */
                CreatedTo?: components["schemas"]["DateTime"];
                /** @description Only payments of these sites. A site that is not yours has none. */
                Sites?: components["schemas"]["Slug"][];
            };
            header?: never;
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
                     *           "SiteSlug": "s7Kd92LmQx4A",
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
                    "application/json": components["schemas"]["AllPaymentsList"];
                    "text/csv": string;
                };
            };
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
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
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `RecordId` of the payment. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `payment_not_found`: This payment does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `RecordId` of the payment. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `payment_not_found`: This payment does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `provider_not_available`: This payment provider is not enabled
             *     - `provider_account_not_ready`: The site has no account at this provider that can take payments
             *     - `provider_rejected`: The payment provider refused the request
             *     - `payment_not_cancellable`: The payment can no longer be cancelled
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Server Error
             *
             *     - `internal_error`: Something went wrong on our side
             *     - `provider_credentials`: The payment provider refused our credentials
             *     - `upstream_failed`: One of our services gave no valid answer
             *     - `service_unavailable`: The service is not available right now: try again later
             *     - `provider_unavailable`: The payment provider is not available right now: try again later
             *     - `provider_outcome_unknown`: The outcome at the payment provider is not known yet
             *     - `overloaded`: The service is overloaded: try again later
             *     - `deadline_exceeded`: The request took too long
             */
            "5XX": {
                headers: {
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#internal_error",
                     *       "title": "Something went wrong on our side",
                     *       "status": 500,
                     *       "code": "internal_error",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
            };
            header?: never;
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `RecordId` of the payment. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `payment_not_found`: This payment does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `RecordId` of the payment. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `payment_not_found`: This payment does not exist
             *     - `refund_not_found`: This refund does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `amount_too_small`: The amount is below the minimum
             *     - `amount_too_large`: The amount is above the maximum
             *     - `currency_unsupported`: The provider does not support this currency
             *     - `provider_not_available`: This payment provider is not enabled
             *     - `provider_account_not_ready`: The site has no account at this provider that can take payments
             *     - `provider_rejected`: The payment provider refused the request
             *     - `declined`: The payment was declined
             *     - `payment_not_refundable`: The payment cannot be refunded
             *     - `refund_too_large`: The refund is larger than what is left of the payment
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Server Error
             *
             *     - `internal_error`: Something went wrong on our side
             *     - `provider_credentials`: The payment provider refused our credentials
             *     - `upstream_failed`: One of our services gave no valid answer
             *     - `service_unavailable`: The service is not available right now: try again later
             *     - `provider_unavailable`: The payment provider is not available right now: try again later
             *     - `provider_outcome_unknown`: The outcome at the payment provider is not known yet
             *     - `overloaded`: The service is overloaded: try again later
             *     - `deadline_exceeded`: The request took too long
             */
            "5XX": {
                headers: {
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#internal_error",
                     *       "title": "Something went wrong on our side",
                     *       "status": 500,
                     *       "code": "internal_error",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `RecordId` of the payment. */
                PaymentIdentifier: components["schemas"]["Uuid"];
                /** @description The `RefundId` of the refund. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `payment_not_found`: This payment does not exist
             *     - `refund_not_found`: This refund does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
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
                /** @description The slug of the site. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `provider_not_available`: This payment provider is not enabled
             *     - `provider_account_not_ready`: The site has no account at this provider that can take payments
             *     - `provider_rejected`: The payment provider refused the request
             *     - `return_url_refused`: Practices cannot be sent back to this URL
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Server Error
             *
             *     - `internal_error`: Something went wrong on our side
             *     - `provider_credentials`: The payment provider refused our credentials
             *     - `upstream_failed`: One of our services gave no valid answer
             *     - `service_unavailable`: The service is not available right now: try again later
             *     - `provider_unavailable`: The payment provider is not available right now: try again later
             *     - `provider_outcome_unknown`: The outcome at the payment provider is not known yet
             *     - `overloaded`: The service is overloaded: try again later
             *     - `deadline_exceeded`: The request took too long
             */
            "5XX": {
                headers: {
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#internal_error",
                     *       "title": "Something went wrong on our side",
                     *       "status": 500,
                     *       "code": "internal_error",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `accountId` of the account. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `account_not_found`: This payment provider account does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
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
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `accountId` of the account. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `account_not_found`: This payment provider account does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `provider_not_available`: This payment provider is not enabled
             *     - `provider_account_not_ready`: The site has no account at this provider that can take payments
             *     - `provider_rejected`: The payment provider refused the request
             *     - `account_has_open_payments`: The account has open payments: cancel them or let them end
             *     - `account_not_deletable`: The provider does not allow this account to be deleted
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#provider_not_available",
                     *       "title": "This payment provider is not enabled",
                     *       "status": 422,
                     *       "code": "provider_not_available",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            /**
             * @description Server Error
             *
             *     - `internal_error`: Something went wrong on our side
             *     - `provider_credentials`: The payment provider refused our credentials
             *     - `upstream_failed`: One of our services gave no valid answer
             *     - `service_unavailable`: The service is not available right now: try again later
             *     - `provider_unavailable`: The payment provider is not available right now: try again later
             *     - `provider_outcome_unknown`: The outcome at the payment provider is not known yet
             *     - `overloaded`: The service is overloaded: try again later
             *     - `deadline_exceeded`: The request took too long
             */
            "5XX": {
                headers: {
                    /** @description Seconds to wait before you try again. */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#internal_error",
                     *       "title": "Something went wrong on our side",
                     *       "status": 500,
                     *       "code": "internal_error",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the site. */
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
                     *         "dispute.*",
                     *         "account.*"
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
                 *         "dispute.*",
                 *         "account.*"
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
                     *         "dispute.*",
                     *         "account.*"
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
                     *         "dispute.*",
                     *         "account.*"
                     *       ],
                     *       "Url": "https://pms.example/hooks/frontdesk",
                     *       "SigningSecret": "whsec_REDACTED"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedSubscription"];
                };
            };
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `event_type_unknown`: You cannot subscribe to this event type
             *     - `webhook_url_missing`: You must give a URL to deliver to
             *     - `webhook_url_refused`: Deliveries to this URL are not allowed
             *     - `webhook_header_refused`: You cannot set this header on deliveries
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    unsubscribe: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the site. */
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
                     *         "dispute.*",
                     *         "account.*"
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateSigningSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
            };
            header?: never;
            path: {
                /** @description The slug of the site. */
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
                     *             "dispute.*",
                     *             "account.*"
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
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
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `SubscriptionId` of the subscription. */
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
                     *         "dispute.*",
                     *         "account.*"
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    sendTestEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `subscription_paused`: The credential that made the subscription has ended: subscribe again
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    getRecovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             *     - `recovery_not_found`: You have not recovered deliveries yet
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    recoverDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
                /** @description Only deliveries in one of these states. */
                State?: components["schemas"]["DeliveryState"][];
            };
            header?: never;
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
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
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `DeliveryId` of the delivery. */
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
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             *     - `delivery_not_found`: This delivery does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     This operation has no such answer today.
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            "4XX": components["responses"]["UserError"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
                SiteSlug: components["schemas"]["Slug"];
                /** @description The `DeliveryId` of the delivery. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             *     - `subscription_not_found`: There is no subscription: subscribe first
             *     - `delivery_not_found`: This delivery does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `subscription_paused`: The credential that made the subscription has ended: subscribe again
             *     - `delivery_not_redeliverable`: The delivery cannot be sent again
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    publishEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to repeat for 24 hours: any text that is new for each thing that you want done. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The slug of the site. */
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
                "application/cloudevents-batch+json": components["schemas"]["PublishedEventBatch"];
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `idempotency_key_malformed`: The Idempotency-Key is malformed
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /**
             * @description Unprocessable
             *
             *     - `idempotency_key_reused`: This Idempotency-Key was used for another request: use a new one
             *     - `event_refused`: The event cannot be published
             */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#idempotency_key_reused",
                     *       "title": "This Idempotency-Key was used for another request: use a new one",
                     *       "status": 422,
                     *       "code": "idempotency_key_reused",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            /**
             * @description User Error
             *
             *     - `request_timeout`: Your request did not arrive in time
             *     - `not_acceptable`: Nothing that you accept is available
             *     - `idempotency_key_in_use`: A request with this Idempotency-Key is still running: retry later
             *     - `body_too_large`: The body is too large
             *     - `uri_too_long`: The address is too long
             *     - `media_type_unsupported`: The content type is not supported
             *     - `headers_too_large`: The headers are too large
             */
            "4XX": {
                headers: {
                    /** @description Seconds to wait before you send the same request again (409). */
                    "Retry-After"?: number;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#request_timeout",
                     *       "title": "Your request did not arrive in time",
                     *       "status": 408,
                     *       "code": "request_timeout",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description The largest number of items in a page. */
                pageSize?: number;
                /** @description The `NextPageToken` of the page before. It carries the filters of that page, so it is enough alone; a filter that you send with it must be the same. Empty: the first page. */
                nextPageToken?: components["schemas"]["PageToken"];
                /** @description Only entries that were recorded at this time or later. */
                RecordedFrom?: components["schemas"]["DateTime"];
                /** @description Only entries that were recorded before this time. */
                RecordedTo?: components["schemas"]["DateTime"];
            };
            header?: never;
            path: {
                /** @description The slug of the site. */
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
            /**
             * @description Malformed Request
             *
             *     - `malformed_request`: The request is malformed
             *     - `malformed_json`: The body is not valid JSON
             *     - `page_token_invalid`: The page token is not valid for this request: start again without one
             */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#malformed_request",
                     *       "title": "The request is malformed",
                     *       "status": 400,
                     *       "code": "malformed_request",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /**
             * @description Not Found
             *
             *     - `site_not_found`: This site does not exist
             */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "/docs/errors#site_not_found",
                     *       "title": "This site does not exist",
                     *       "status": 404,
                     *       "code": "site_not_found",
                     *       "traceId": "0af7651916cd43dd8448eb211c80319c"
                     *     }
                     */
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "payment.succeeded";
                    /** @description The data of `payment.succeeded`. */
                    data: {
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
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "payment.failed";
                    /** @description The data of `payment.failed`. */
                    data: {
                        /** @description Why it failed: `declined`, or the provider's code. */
                        failureReason: string;
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "payment.cancelled";
                    /** @description The data of `payment.cancelled`. */
                    data: {
                        /** @description Why it was cancelled: by request, because its checkout expired, or with its site. */
                        cancellationReason: string;
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "refund.succeeded";
                    /** @description The data of `refund.succeeded`. */
                    data: {
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
                        /** @description Our id of the refund. */
                        refundId: components["schemas"]["Uuid"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "refund.failed";
                    /** @description The data of `refund.failed`. */
                    data: {
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
                        /** @description Our id of the refund. */
                        refundId: components["schemas"]["Uuid"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "dispute.opened";
                    /** @description The data of `dispute.opened`. */
                    data: {
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "dispute.closed";
                    /** @description The data of `dispute.closed`. */
                    data: {
                        /** @description Your reference of the payment. */
                        reference?: string;
                        /** @description Our id of the payment. */
                        recordId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the payment. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
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
                        disputeOutcome: string;
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
    "on.account.status_changed": {
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
                    /**
                     * @description The type of the event.
                     * @constant
                     */
                    type?: "account.status_changed";
                    /** @description The data of `account.status_changed`. */
                    data: {
                        /** @description Our id of the account. */
                        accountId: components["schemas"]["Uuid"];
                        /** @description The payment provider of the account. */
                        paymentProvider: components["schemas"]["AnyPaymentProvider"];
                        /** @description The status from now on. */
                        status: components["schemas"]["AnyAccountStatus"];
                        /** @description The status before. */
                        previousStatus: components["schemas"]["AnyAccountStatus"];
                        /** @description The provider's id of the account. */
                        externalAccountId: string;
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
