import { databaseUrls } from '@frontdesk/database'
import { auditCommands, encryptionCommands, outboxCommands, type Program } from '@frontdesk/operate'
import { readKeyRing, type KeyRing } from '@frontdesk/service/encryption'
import { encryptedReply } from '@frontdesk/service/idempotency'
import { readConfig } from '@frontdesk/service/process'
import { Config } from './config.ts'
import { openDatabase, type Database } from './db.ts'
import { encryptedKey } from './site-keys/store.ts'

/** An operator's commands for the registry. */
export const program: Program<Database & { ring: KeyRing }> = {
  service: 'registry',
  commands: [...auditCommands(), ...outboxCommands(), ...encryptionCommands([encryptedKey, encryptedReply])],
  async open(env, log) {
    const config = readConfig(Config, env)
    const ring = readKeyRing(config.ENCRYPTION_KEYS_FILE)
    return { ...openDatabase({ url: databaseUrls('REGISTRY', config).url, size: 2, log }), ring }
  },
}
