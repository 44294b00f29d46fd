import 'pg'

export const listPayments = 'contract-alone'
