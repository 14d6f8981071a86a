import { prismaConfig } from '@frontdesk/database/prisma'

export default prismaConfig('WEBHOOK_DELIVERY_DATABASE_URL')
