import type { OperationHandlers } from '@frontdesk/service/http'
import { listSystems, type Catalogue } from './domain.ts'

/** The catalogue, for who has to name a system of it. */
export function systemRoutes({
  catalogue,
}: {
  catalogue: Catalogue
}): OperationHandlers<'listPracticeManagementSystems'> {
  return {
    listPracticeManagementSystems: async ({ principal }) => ({ status: 200, body: listSystems(catalogue, principal) }),
  }
}
