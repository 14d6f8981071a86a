export { clientAddressHeader, createAct, type Act, type NewAuditEntry } from './act.ts'
export * from './part.ts'
export * from './sealing.ts'
export * from './store.ts'
