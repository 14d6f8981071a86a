import { prismaConfig } from '@frontdesk/database/prisma'

export default prismaConfig('ACCOUNTS_DATABASE_URL')
