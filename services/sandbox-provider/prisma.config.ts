import { prismaConfig } from '@frontdesk/database/prisma'

export default prismaConfig('SANDBOX_PROVIDER_DATABASE_URL')
