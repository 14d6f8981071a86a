import { prismaConfig } from '@frontdesk/database/prisma'

export default prismaConfig('PAYMENTS_DATABASE_URL')
