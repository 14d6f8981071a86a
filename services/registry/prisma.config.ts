import { prismaConfig } from '@frontdesk/database/prisma'

export default prismaConfig('REGISTRY_DATABASE_URL')
