import type { RequestContext } from '../../../context.ts'
import { composeConfig } from '../effective.ts'
import { findCurrency } from '../queries/settings.ts'
import { readState } from '../state.ts'

/** From the database, like the list: another process puts a change in force a moment after its browsers hear of it. */
export async function getPublicSettings(ctx: RequestContext) {
  const { companyName, timeZone } = composeConfig(ctx.environment, (await readState(ctx)).values).settings
  return { company_name: companyName, time_zone: timeZone, currency: await findCurrency(ctx) }
}
