import { createHmac } from 'node:crypto'
import { withDatabase } from '@frontdesk/database/service-databases'

/**
 * Returns the URL by which a role logs in to a database of a Postgres that we started. Its password is derived from the
 * administrator's, so that whoever has the administrator's URL can tell those of all roles, and none is stored.
 */
export function roleUrl(administratorUrl: string, role: string, database: string): string {
  const url = new URL(withDatabase(administratorUrl, database))
  url.password = createHmac('sha256', new URL(administratorUrl).password).update(role).digest('base64url')
  url.username = role
  return url.toString()
}
