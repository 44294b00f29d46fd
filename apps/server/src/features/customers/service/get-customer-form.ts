import type { CustomerForm } from '@agency/contract/types'
import type { RequestContext } from '../../../context.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import { findCustomerObject } from '../queries/customer-object.ts'
import { editableOf, versionOf } from '../writing/editable.ts'

export async function getCustomerForm(ctx: RequestContext, id: string): Promise<CustomerForm> {
  const found = await findCustomerObject(ctx.db, id)
  if (!found) throw notFound(`Customer ${id}`)
  if (found.deleted_at) throw new AppError('conflict', 'This customer was deleted at Stripe and cannot be changed.')
  const editable = editableOf(found.raw)
  return { id, version: versionOf(editable), ...editable }
}
