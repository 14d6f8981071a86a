// A receiver of webhooks with nothing but Go. Run it with: WEBHOOK_SECRET=whsec_... PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

var seen sync.Map // in production: a unique column of your database

// isSigned tells whether one of the signatures is ours. After a rotation there are two, separated by a space.
func isSigned(key []byte, header http.Header, body []byte) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", header.Get("webhook-id"), timestamp)
	mac.Write(body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}
	return false
}

func main() {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_"))
	if err != nil || len(key) == 0 {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret of your subscription.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	receive := func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil || !isSigned(key, request.Header, body) {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		var event struct{ Type string }
		if json.Unmarshal(body, &event) != nil {
			response.WriteHeader(http.StatusBadRequest)
			return
		}
		id := request.Header.Get("webhook-id")
		// Store id and event in one transaction, and do the work afterwards.
		if _, repeated := seen.LoadOrStore(id, true); repeated {
			fmt.Println("repeated", id)
		} else {
			fmt.Println("accepted", id, event.Type)
		}
		response.WriteHeader(http.StatusNoContent)
	}
	log.Fatal(http.ListenAndServe(":"+port, http.HandlerFunc(receive)))
}
