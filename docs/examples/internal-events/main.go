// Reads the outcomes of payments from the event bus. Run it with:
// NATS_URL=nats://... NATS_CREDENTIALS_FILE=recalls.nk go run .
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The name of your team, which the operator made a user for.
const team = "recalls"

type event struct {
	ID   string
	Type string
	Data struct {
		RecordID string
		Amount   int64
		Currency string
	}
}

func main() {
	login, err := nats.NkeyOptionFromSeed(os.Getenv("NATS_CREDENTIALS_FILE"))
	if err != nil {
		log.Fatal(err)
	}
	connection, err := nats.Connect(os.Getenv("NATS_URL"), login, nats.CustomInboxPrefix("_INBOX_"+team))
	if err != nil {
		log.Fatal(err)
	}
	stream, err := jetstream.New(connection)
	if err != nil {
		log.Fatal(err)
	}
	// The first durable of the team, with the first filter that it was given.
	consumer, err := stream.CreateOrUpdateConsumer(context.Background(), "EVT_PAYMENTS", jetstream.ConsumerConfig{
		Durable:       team + "-1",
		FilterSubject: "evt.pub.payments.>",
		AckPolicy:     jetstream.AckExplicitPolicy,
	})
	if err != nil {
		log.Fatal(err)
	}
	seen := map[string]bool{} // in production: a unique column, in the transaction of what you do with the event
	consuming, err := consumer.Consume(func(message jetstream.Msg) {
		var received event
		if json.Unmarshal(message.Data(), &received) != nil {
			message.Term()
			return
		}
		if !seen[received.ID] && received.Type == "payment.succeeded" {
			fmt.Println(received.Type, received.Data.RecordID, received.Data.Amount, received.Data.Currency)
		}
		seen[received.ID] = true
		message.Ack()
	})
	if err != nil {
		log.Fatal(err)
	}
	defer consuming.Stop()
	<-consuming.Closed()
}
