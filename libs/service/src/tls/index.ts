export { internalTlsSettings, openInternalTls, type InternalTls } from './internal-tls.ts'
