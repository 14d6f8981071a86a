export { type Credentials, openCredentials } from './credentials.ts'
export { type ServiceAddresses, serviceEnvironment, serviceUrl } from './environment.ts'
export { runningEnvironment } from './running-environment.ts'
export { startService } from './start-service.ts'
