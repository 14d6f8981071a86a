# region variables
export FRONTDESK_URL=http://127.0.0.1:8080
export FRONTDESK_CLIENT_ID=demo
export FRONTDESK_CLIENT_SECRET='the secret that npm start printed'
export RECEIVER_URL=http://127.0.0.1:3000/hooks
# endregion variables
