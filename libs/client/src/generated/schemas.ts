// Printed by `npm run print-contracts`: do not edit.
interface components {
    schemas: {
        AcceptedDelivery: {
            DeliveryId: Uuid;
        };
        AcceptedEvents: {
            Accepted: number;
        };
        AccountCreation: {
            paymentProvider: PaymentProvider;
        };
        AccountList: PaymentProviderAccount[];
        AccountOnboarding: {
            account: PaymentProviderAccount;
            onboardingSession: {
                session: string;
                expiresAt: DateTime;
            };
            onboardingLink: {
                url: string;
                expiresAt: DateTime;
            };
        };
        /** @enum {unknown} */
        AccountStatus: "None" | "Pending" | "ActionRequired" | "Active" | "Restricted" | "Disabled" | "Rejected";
        AuditEntry: {
            EntryId: Uuid;
            RecordedAt: DateTime;
            Service: string;
            Operation: string;
            Outcome: AuditOutcome;
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
            Items: AuditEntry[];
            NextPageToken?: string;
        };
        /** @enum {unknown} */
        AuditOutcome: "Succeeded" | "Replayed" | "Refused" | "Failed";
        AuditQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
            /** Format: date-time */
            RecordedFrom?: string;
            /** Format: date-time */
            RecordedTo?: string;
        };
        Coordinates: {
            Latitude: number;
            Longitude: number;
        };
        Country: string;
        CreatedSubscription: {
            Headers: WebhookHeader[];
            EventTypes: string[];
            Url: string;
            SigningSecret?: string;
            PublicKey?: string;
        };
        Currency: string;
        /** Format: date-time */
        DateTime: string;
        DeletedSite: {
            Identity: Identity;
            DeletedOrganisation?: {
                Name: string;
                PracticeManagementSoftware: PracticeManagementSoftware;
                PmsSpecificOrganisationId: string;
                OrganisationSlug: Slug;
            };
        };
        Delivery: {
            DeliveryId: Uuid;
            EventId: Uuid;
            EventType: string;
            State: DeliveryState;
            Attempts: number;
            CreatedAt: DateTime;
            /** Format: date-time */
            NextAttemptAt?: string;
            /** Format: date-time */
            CompletedAt?: string;
            AttemptList: DeliveryAttempt[];
        };
        DeliveryAttempt: {
            Number: number;
            StartedAt: DateTime;
            DurationMs: number;
            Outcome: string;
            StatusCode?: number;
            Error?: string;
            ResponseBody?: string;
            /** @enum {unknown} */
            ResponseBodyEncoding?: "utf8" | "base64";
        };
        DeliveryList: {
            Items: DeliverySummary[];
            NextPageToken?: string;
        };
        DeliveryListQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
            State?: DeliveryState[];
        };
        /** @enum {unknown} */
        DeliveryState: "pending" | "delivered" | "rejected" | "exhausted" | "expired" | "cancelled";
        DeliverySummary: {
            DeliveryId: Uuid;
            EventId: Uuid;
            EventType: string;
            State: DeliveryState;
            Attempts: number;
            CreatedAt: DateTime;
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
            time?: DateTime | null;
            datacontenttype?: string | null;
            dataschema?: string | null;
            siteslug?: string;
            expirytime?: DateTime | null;
            intendeddeliverytime?: DateTime | null;
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
        };
        HistoryEntry: {
            Timestamp: DateTime;
            Description: string;
            Status: PaymentStatus;
        };
        Identity: {
            Name: string;
            PracticeManagementSoftware: PracticeManagementSoftware;
            PmsSpecificSiteId: string;
            SiteSlug: Slug;
            OwningOrganisationSlug: Slug;
            BillingOrganisationSlug: Slug;
        };
        MinorUnits: number;
        PaymentCreation: {
            PaymentProvider: PaymentProvider;
            Currency: Currency;
            CustomerId?: string;
            Reference?: string;
            StatementDescriptor?: string;
            FeeAmount?: number;
            LineItems?: PaymentLineItem[];
            /** @enum {unknown} */
            UiMode?: "Hosted" | "Embedded";
            SuccessUrl?: string;
            /** Format: uri */
            CancelUrl?: string;
        };
        PaymentLineItem: {
            Price: MinorUnits;
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
            Items: PaymentRecord[];
            NextPageToken?: string;
        };
        PaymentListQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
            Status?: PaymentStatus[];
            /** @enum {unknown} */
            PaymentProvider?: "Stripe" | "Sandbox";
            Reference?: string;
            /** Format: date-time */
            CreatedFrom?: string;
            /** Format: date-time */
            CreatedTo?: string;
        };
        /** @enum {unknown} */
        PaymentProvider: "Stripe" | "Sandbox";
        PaymentProviderAccount: {
            accountId: Uuid;
            paymentProvider: PaymentProvider;
            status: AccountStatus;
            createdAt: DateTime;
            externalAccountId?: string;
        };
        PaymentRecord: {
            PaymentProvider: PaymentProvider;
            RecordId: Uuid;
            Status: PaymentStatus;
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
            Refunds: RefundRecord[];
            History: HistoryEntry[];
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
            time?: DateTime | null;
            datacontenttype?: string | null;
            dataschema?: string | null;
            siteslug?: string;
            expirytime?: DateTime | null;
            intendeddeliverytime?: DateTime | null;
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
        };
        PublishedEvents: PublishedEvent | PublishedEvent[];
        RecoverRequest: {
            Since: DateTime;
        };
        Recovery: {
            RecoveryId: Uuid;
            Since: DateTime;
            /** @enum {unknown} */
            State: "running" | "completed";
            Deliveries: number;
            CreatedAt: DateTime;
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
            Items: RefundRecord[];
            NextPageToken?: string;
        };
        RefundListQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
        };
        RefundRecord: {
            RefundId: Uuid;
            RecordId: Uuid;
            PaymentProvider: PaymentProvider;
            ProviderRefundId?: string;
            Amount: number;
            Currency: string;
            Status: RefundStatus;
            Reason?: string;
            Reference?: string;
            FailureReason?: string;
            CreatedAt: DateTime;
        };
        /** @enum {unknown} */
        RefundStatus: "Created" | "Pending" | "Succeeded" | "Failed";
        RotatedSecret: {
            SigningSecret?: string;
            PublicKey?: string;
            PreviousSecretExpiresAt: DateTime;
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
                Country?: Country | null;
            } | null;
            PostalAddress?: {
                AddressLine1?: string | null;
                AddressLine2?: string | null;
                Locality?: string | null;
                Region?: string | null;
                PostalCode?: string | null;
                Country?: Country | null;
            } | null;
            PhoneNumber?: string | null;
            EmailAddress?: string | null;
            Currency?: Currency | null;
            Coordinates?: Coordinates | null;
            MapPlaceId?: string | null;
            ApplicationVersion?: string | null;
            /** @enum {unknown} */
            SiteStatus?: "Operational" | "Suspended" | "Closed";
            PmsSpecificSiteId?: string;
        };
        SiteCreation: {
            Name: SiteName;
            Address?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                Country?: string;
            };
            PostalAddress?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                Country?: string;
            };
            PhoneNumber?: string;
            /** Format: email */
            EmailAddress?: string;
            OwningOrganisationSlug?: string;
            BillingOrganisationSlug?: string;
            Currency?: string;
        };
        SiteList: {
            Items: SiteListItem[];
            NextPageToken?: string;
        };
        SiteListItem: {
            PracticeManagementSoftware: PracticeManagementSoftware;
            PmsSpecificSiteId: string;
            SiteSlug: Slug;
            OwningOrganisationSlug: Slug;
            BillingOrganisationSlug: Slug;
            Name: string;
            Address?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                Country?: string;
            };
            PostalAddress?: {
                AddressLine1?: string;
                AddressLine2?: string;
                Locality?: string;
                Region?: string;
                PostalCode?: string;
                Country?: string;
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
            SiteStatus: SiteStatus;
        };
        SiteListQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
            Sites?: Slug[];
            OwningOrganisations?: Slug[];
            BillingOrganisations?: Slug[];
            Countries?: Country[];
            isActive?: boolean;
        };
        SiteName: string;
        /** @enum {unknown} */
        SiteStatus: "Operational" | "Suspended" | "Closed";
        SiteWithKeys: {
            Identity: Identity;
            PracticeSiteApiKeys: PracticeSiteApiKeys;
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
            Headers?: WebhookHeader[];
            EventTypes: string[];
            /** Format: uri */
            Url?: string;
            /** @enum {unknown} */
            Signing?: "Symmetric" | "Asymmetric";
        };
        SubscriptionList: {
            Items: SubscriptionSummary[];
            NextPageToken?: string;
        };
        SubscriptionListQuery: {
            /** @default 50 */
            pageSize: number;
            nextPageToken?: string;
        };
        SubscriptionSummary: {
            SubscriptionId: Uuid;
            MadeBy: string;
            Receiver: string;
            Headers: string[];
            EventTypes: string[];
            Labels: string[];
            CreatedAt: DateTime;
            ChangedAt: DateTime;
        };
        /** Format: uuid */
        Uuid: string;
        WebhookHeader: {
            Name: string;
            Value: string;
        };
        PaymentSucceededData: {
            currency: string;
            amount: number;
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
        };
        PaymentFailedData: {
            failureReason: string;
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
        };
        PaymentCancelledData: {
            cancellationReason: string;
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
        };
        RefundSucceededData: {
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
            refundId: Uuid;
            currency: string;
            amount: number;
            refundedAmount: number;
            refundReference?: string;
        };
        RefundFailedData: {
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
            refundId: Uuid;
            currency: string;
            amount: number;
            refundedAmount: number;
            refundReference?: string;
            failureReason: string;
        };
        DisputeOpenedData: {
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
            disputeId: string;
            currency: string;
            amount: number;
            disputeReason?: string;
        };
        DisputeClosedData: {
            reference?: string;
            recordId: Uuid;
            paymentProvider: PaymentProvider;
            disputeId: string;
            currency: string;
            amount: number;
            disputeReason?: string;
            /** @enum {unknown} */
            disputeOutcome: "won" | "lost";
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
export type AccountStatus = components['schemas']['AccountStatus'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditList = components['schemas']['AuditList'];
export type AuditOutcome = components['schemas']['AuditOutcome'];
export type AuditQuery = components['schemas']['AuditQuery'];
export type Coordinates = components['schemas']['Coordinates'];
export type Country = components['schemas']['Country'];
export type CreatedSubscription = components['schemas']['CreatedSubscription'];
export type Currency = components['schemas']['Currency'];
export type DateTime = components['schemas']['DateTime'];
export type DeletedSite = components['schemas']['DeletedSite'];
export type Delivery = components['schemas']['Delivery'];
export type DeliveryAttempt = components['schemas']['DeliveryAttempt'];
export type DeliveryList = components['schemas']['DeliveryList'];
export type DeliveryListQuery = components['schemas']['DeliveryListQuery'];
export type DeliveryState = components['schemas']['DeliveryState'];
export type DeliverySummary = components['schemas']['DeliverySummary'];
export type Envelope = components['schemas']['Envelope'];
export type HistoryEntry = components['schemas']['HistoryEntry'];
export type Identity = components['schemas']['Identity'];
export type MinorUnits = components['schemas']['MinorUnits'];
export type PaymentCreation = components['schemas']['PaymentCreation'];
export type PaymentLineItem = components['schemas']['PaymentLineItem'];
export type PaymentList = components['schemas']['PaymentList'];
export type PaymentListQuery = components['schemas']['PaymentListQuery'];
export type PaymentProvider = components['schemas']['PaymentProvider'];
export type PaymentProviderAccount = components['schemas']['PaymentProviderAccount'];
export type PaymentRecord = components['schemas']['PaymentRecord'];
export type PaymentStatus = components['schemas']['PaymentStatus'];
export type PracticeManagementSoftware = components['schemas']['PracticeManagementSoftware'];
export type PracticeSiteApiKeys = components['schemas']['PracticeSiteApiKeys'];
export type PublishedEvent = components['schemas']['PublishedEvent'];
export type PublishedEvents = components['schemas']['PublishedEvents'];
export type RecoverRequest = components['schemas']['RecoverRequest'];
export type Recovery = components['schemas']['Recovery'];
export type RefundCreation = components['schemas']['RefundCreation'];
export type RefundList = components['schemas']['RefundList'];
export type RefundListQuery = components['schemas']['RefundListQuery'];
export type RefundRecord = components['schemas']['RefundRecord'];
export type RefundStatus = components['schemas']['RefundStatus'];
export type RotatedSecret = components['schemas']['RotatedSecret'];
export type RotatedSiteKeys = components['schemas']['RotatedSiteKeys'];
export type SiteChange = components['schemas']['SiteChange'];
export type SiteCreation = components['schemas']['SiteCreation'];
export type SiteList = components['schemas']['SiteList'];
export type SiteListItem = components['schemas']['SiteListItem'];
export type SiteListQuery = components['schemas']['SiteListQuery'];
export type SiteName = components['schemas']['SiteName'];
export type SiteStatus = components['schemas']['SiteStatus'];
export type SiteWithKeys = components['schemas']['SiteWithKeys'];
export type Slug = components['schemas']['Slug'];
export type Subscription = components['schemas']['Subscription'];
export type SubscriptionCreation = components['schemas']['SubscriptionCreation'];
export type SubscriptionList = components['schemas']['SubscriptionList'];
export type SubscriptionListQuery = components['schemas']['SubscriptionListQuery'];
export type SubscriptionSummary = components['schemas']['SubscriptionSummary'];
export type Uuid = components['schemas']['Uuid'];
export type WebhookHeader = components['schemas']['WebhookHeader'];
export type PaymentSucceededData = components['schemas']['PaymentSucceededData'];
export type PaymentFailedData = components['schemas']['PaymentFailedData'];
export type PaymentCancelledData = components['schemas']['PaymentCancelledData'];
export type RefundSucceededData = components['schemas']['RefundSucceededData'];
export type RefundFailedData = components['schemas']['RefundFailedData'];
export type DisputeOpenedData = components['schemas']['DisputeOpenedData'];
export type DisputeClosedData = components['schemas']['DisputeClosedData'];
