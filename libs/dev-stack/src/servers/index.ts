export { enterableTemporaryFolder } from './postgres-binaries.ts'
export { type Nats, startNats } from './start-nats.ts'
export { type Postgres, startPostgres } from './start-postgres.ts'
