import { createHash } from 'node:crypto'

const fitsHeader = /^[\x21-\x7e]{1,200}$/

/** The key that the provider sees: at most 255 characters that a header may carry. */
export const providerKeyOf = (id: string): string =>
  `customer-${fitsHeader.test(id) ? id : createHash('sha256').update(id).digest('hex')}`
