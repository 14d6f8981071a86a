#!/usr/bin/env bash
# The quick start of the documentation, from a token to a paid payment. Set FRONTDESK_URL, FRONTDESK_CLIENT_ID,
# FRONTDESK_CLIENT_SECRET and RECEIVER_URL first.
set -euo pipefail

# region begin
# Shows one member of the JSON on standard input.
json() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }
# Calls the API. An error ends with its problem document instead of a result.
call() { curl -sS --fail-with-body -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"; }

token=$(curl -sS --fail-with-body "$FRONTDESK_URL/oauth2/token" \
  -u "$FRONTDESK_CLIENT_ID:$FRONTDESK_CLIENT_SECRET" -d grant_type=client_credentials | json access_token)
# endregion begin

# region site
site=$(call "$FRONTDESK_URL/api/v1/management/sites" -H "Idempotency-Key: site-$RANDOM-$RANDOM" \
  -d '{ "Name": "Harbour Street Dental", "Currency": "GBP", "Address": { "Country": "GB" } }' | json Identity.SiteSlug)
echo "site $site"
# endregion site

# region account
call "$FRONTDESK_URL/api/v1/sites/$site/payment-provider-accounts" -d '{ "paymentProvider": "Sandbox" }' > account.json
echo "onboard at $(json onboardingLink.url < account.json)"
# endregion account

# region active
account=$(json account.accountId < account.json)
until [ "$(call "$FRONTDESK_URL/api/v1/sites/$site/payment-provider-accounts/$account" | json status)" = Active ]; do
  sleep 1
done
# endregion active

# region subscribe
call "$FRONTDESK_URL/api/v1/sites/$site/webhooks/payments" \
  -d "{ \"Url\": \"$RECEIVER_URL\", \"EventTypes\": [\"payment.*\", \"refund.*\"] }" > subscription.json
echo "secret $(json SigningSecret < subscription.json)"
# endregion subscribe

# region pay
call "$FRONTDESK_URL/api/v1/sites/$site/payments" -H "Idempotency-Key: invoice-1001-$RANDOM" -d '{
  "PaymentProvider": "Sandbox",
  "Currency": "GBP",
  "Reference": "INV-1001",
  "LineItems": [{ "ProductName": "Check-up", "Price": 4500 }]
}' > payment.json
payment=$(json RecordId < payment.json)
echo "pay at $(json CheckoutUrl < payment.json)"
# endregion pay

# region outcome
until [ "$(call "$FRONTDESK_URL/api/v1/sites/$site/payments/$payment" | json Status)" = Completed ]; do
  sleep 1
done
echo "paid $payment"
# endregion outcome

# region refund
call "$FRONTDESK_URL/api/v1/sites/$site/payments/$payment/refunds" -H "Idempotency-Key: credit-17-$RANDOM" \
  -d '{ "Amount": 1500, "Reason": "goodwill", "Reference": "CN-17" }' > refund.json
echo "refund $(json Status < refund.json)"
# endregion refund
