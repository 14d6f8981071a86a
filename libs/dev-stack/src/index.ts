export type { Addresses } from './environment.ts'
export { type Credentials, type DevelopmentClient, openCredentials } from './credentials.ts'
export type { DevFile } from './dev-file.ts'
export { serviceEnvironment, serviceUrl } from './environment.ts'
export { freePort } from './free-port.ts'
export { AlreadyRunningError } from './home.ts'
export { PortTakenError } from './ports.ts'
export { recordedProcess, recordProcess, stopRecordedProcess } from './processes/recorded-process.ts'
export { type ServerProcess, spawnServer, whenReady } from './processes/server-process.ts'
export { isDatabaseCurrent, provisionEvents } from './provision.ts'
export { enterableTemporaryFolder } from './servers/postgres-binaries.ts'
export { type Nats, startNats } from './servers/start-nats.ts'
export { type Postgres, startPostgres } from './servers/start-postgres.ts'
export {
  hasDatabase,
  migrate,
  migrationsFingerprint,
  serviceNames,
  serviceVariable,
  withDatabase,
} from './service-databases.ts'
export { type DevStack, type DevStackOptions, startDevStack } from './start-dev-stack.ts'
export { startService } from './start-service.ts'
