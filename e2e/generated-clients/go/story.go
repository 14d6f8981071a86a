// The demo's story, told by a client that oapi-codegen has generated from /openapi.json.
//
// Each line that it prints is a JSON object. A `step` of "onboard" or "pay" asks whoever runs it to do what a person does at
// the provider.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"time"
)

func main() {
	if err := story(context.Background(), os.Getenv("BASE_URL")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func story(ctx context.Context, base string) error {
	token, err := accessToken(base)
	if err != nil {
		return err
	}
	api, err := NewClientWithResponses(base, WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token)
		return nil
	}))
	if err != nil {
		return err
	}

	country, currency := Country("GB"), Currency("GBP")
	made, err := api.CreateSiteWithResponse(ctx, &CreateSiteParams{IdempotencyKey: newKey()}, SiteCreation{
		Name:     "Harbour Street Dental",
		Address:  &StreetAddress{Country: &country},
		Currency: &currency,
	})
	if err != nil || made.JSON201 == nil {
		return fmt.Errorf("create site: %w %s", err, made.Body)
	}
	site := made.JSON201.Identity.SiteSlug

	opened, err := api.CreateAccountWithResponse(ctx, site, nil, AccountCreation{PaymentProvider: Sandbox})
	if err != nil || opened.JSON201 == nil {
		return fmt.Errorf("create account: %w %s", err, opened.Body)
	}
	account := opened.JSON201.Account
	tell(map[string]any{"step": "onboard", "account": account.ExternalAccountId})
	err = until(func() (bool, error) {
		found, err := api.GetAccountWithResponse(ctx, site, account.AccountId)
		if err != nil || found.JSON200 == nil {
			return false, fmt.Errorf("get account: %w %s", err, found.Body)
		}
		return found.JSON200.Status == "Active", nil
	})
	if err != nil {
		return err
	}

	receiver := os.Getenv("RECEIVER_URL")
	subscribed, err := api.SubscribeWithResponse(ctx, site, nil, SubscriptionCreation{
		EventTypes: []string{"payment.*"},
		Url:        &receiver,
		Headers:    &[]WebhookHeader{{Name: "X-Key", Value: "k"}},
	})
	if err != nil || subscribed.JSON201 == nil {
		return fmt.Errorf("subscribe: %w %s", err, subscribed.Body)
	}

	// Errors are as typed as successes.
	order := PaymentCreation{PaymentProvider: Sandbox, Currency: currency}
	refused, err := api.CreatePaymentWithResponse(ctx, site, nil, order)
	if err != nil || refused.ApplicationproblemJSON422 == nil {
		return fmt.Errorf("a payment without lines: %w %s", err, refused.Body)
	}
	tell(map[string]any{"step": "refused", "code": refused.ApplicationproblemJSON422.Code})

	order.LineItems = &[]PaymentLineItem{{ProductName: "Check-up", Price: 4500}}
	created, err := api.CreatePaymentWithResponse(ctx, site, &CreatePaymentParams{IdempotencyKey: newKey()}, order)
	if err != nil || created.JSON201 == nil {
		return fmt.Errorf("create payment: %w %s", err, created.Body)
	}
	payment := *created.JSON201
	tell(map[string]any{"step": "pay", "payment": payment.PaymentId})
	err = until(func() (bool, error) {
		found, err := api.GetPaymentWithResponse(ctx, site, payment.RecordId)
		if err != nil || found.JSON200 == nil {
			return false, fmt.Errorf("get payment: %w %s", err, found.Body)
		}
		payment = *found.JSON200
		return payment.Status == "Completed", nil
	})
	if err != nil {
		return err
	}

	// Filters may be left out, or given.
	for _, params := range []*ListPaymentsParams{nil, {}, {Status: &[]PaymentStatus{PaymentStatusCompleted}}} {
		list, err := api.ListPaymentsWithResponse(ctx, site, params)
		if err != nil || list.JSON200 == nil || len(list.JSON200.Items) != 1 {
			return fmt.Errorf("list payments: %w %s", err, list.Body)
		}
	}
	tell(map[string]any{
		"step": "done", "site": site, "record": payment.RecordId, "amount": payment.PaidAmount,
		"statuses": len(payment.History), "secret": subscribed.JSON201.SigningSecret,
	})
	return nil
}

func accessToken(base string) (string, error) {
	reply, err := http.PostForm(base+"/oauth2/token", url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {os.Getenv("CLIENT_ID")},
		"client_secret": {os.Getenv("CLIENT_SECRET")},
	})
	if err != nil {
		return "", err
	}
	defer reply.Body.Close()
	var body struct {
		AccessToken string `json:"access_token"`
	}
	return body.AccessToken, json.NewDecoder(reply.Body).Decode(&body)
}

func newKey() *string {
	key := rand.Text()
	return &key
}

// until asks again until the answer is yes, for a minute.
func until(isReached func() (bool, error)) error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if done, err := isReached(); done || err != nil {
			return err
		}
	}
	return fmt.Errorf("it has not happened within a minute")
}

func tell(line map[string]any) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}
