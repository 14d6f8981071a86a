export { eventually } from './eventually.ts'
export { throwAwayDatabase, type ThrowAwayDatabase } from './throw-away-database.ts'
export { throwAwayNats, type ThrowAwayNats } from './throw-away-nats.ts'
export { openReceiver, type ReceivedRequest, type Receiver, type ReceiverReply } from './receiver.ts'
