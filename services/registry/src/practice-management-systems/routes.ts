import type { OperationHandlers } from '@frontdesk/service/http'
import { listSystems, type Catalogue } from './domain.ts'

/** Serves the catalogue to clients, which name its systems in requests. */
export function systemRoutes({
  catalogue,
}: {
  catalogue: Catalogue
}): OperationHandlers<'listPracticeManagementSystems'> {
  return {
    listPracticeManagementSystems: async ({ principal }) => ({ status: 200, body: listSystems(catalogue, principal) }),
  }
}
