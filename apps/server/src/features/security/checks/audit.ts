import type { AppContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { findAnchorState, isHeadSentSomewhere } from '../../audit/index.ts'
import { findLastVerification } from '../queries/facts.ts'
import { type Check, dayMs, type Judged, ok } from './check.ts'

const auditLog = { path: '/admin/audit', text: 'Open the audit log' }
const config = { path: '/admin/config', text: 'Open Config' }

const wrong: Record<string, string> = {
  broken: 'The last tamper check failed',
  no_anchor: 'The last tamper check found no anchor outside the database',
}

async function judgeLog(ctx: AppContext): Promise<Judged> {
  const last = await findLastVerification(ctx)
  const advice = 'Verify the audit log.'
  if (!last?.finished_at) return { state: 'advice', finding: 'No tamper check yet', advice, link: auditLog }
  const finding = wrong[last.state]
  if (finding !== undefined) {
    const compare =
      last.state === 'broken'
        ? 'which entry it names, and compare with a backup'
        : 'what it names, and compare with the heads that were sent out'
    return { state: 'error', finding, advice: `See ${compare}.`, link: auditLog }
  }
  const days = Math.floor((ctx.clock() - last.finished_at.getTime()) / dayMs)
  if (days <= 7) return ok(`Found intact ${days === 0 ? 'less than a day' : counted(days, 'day')} ago`)
  return { state: 'warning', finding: `Last found intact ${counted(days, 'day')} ago`, advice, link: auditLog }
}

/** What proves the log from outside: heads in the data folder, and those that left the machine. */
async function judgeAnchor(ctx: AppContext): Promise<Judged> {
  const { trouble, newest, isNew, sent } = await findAnchorState(ctx, await ctx.instance(createSecretBox))
  if (trouble !== null) {
    const advice =
      'Keep DATA_DIR on a lasting disk, verify the audit log, and compare with the heads that were sent out.'
    return { state: 'error', finding: `No anchor: ${trouble}`, advice, link: auditLog }
  }
  const unsent = sent.find(({ error }) => error !== null)
  if (unsent)
    return {
      state: 'warning',
      finding: `Audit head not sent by ${unsent.target}: ${unsent.error}`,
      advice: 'Check the audit head settings.',
      link: config,
    }
  if (!isHeadSentSomewhere(ctx.config))
    return {
      state: 'advice',
      finding: 'Audit heads are only stored on this server',
      advice: 'Send the audit head by email or webhook once a day.',
      link: config,
    }
  if (isNew || newest === null) return ok('The log is empty')
  const days = Math.floor((ctx.clock() - Math.max(0, ...sent.map(({ at }) => at.getTime()))) / dayMs)
  if (sent.length === 0 || days < 2) return ok(`Anchored up to entry ${newest.seq.toLocaleString('en-US')}`)
  const advice = 'Check that background jobs run.'
  return { state: 'warning', finding: `No audit head sent for ${counted(days, 'day')}`, advice, link: config }
}

export const auditChecks: readonly Check[] = [
  { id: 'audit', title: 'Audit log', run: judgeLog },
  { id: 'audit_anchor', title: 'Audit log anchor', run: judgeAnchor },
]
