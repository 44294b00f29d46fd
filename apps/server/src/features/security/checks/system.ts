import type { AppContext } from '../../../context.ts'
import { findDisk, judgeDisk } from '../../health/index.ts'
import { countMails } from '../queries/facts.ts'
import { type Check, countText, dayMs, type Judged, ok, unknown } from './check.ts'

const config = { path: '/admin/config', text: 'Open Config' }

async function judgeMail(ctx: AppContext): Promise<Judged> {
  if (ctx.config.smtpUrl === undefined)
    return {
      state: 'advice',
      finding: 'No mail server is set: invitations and reminders stay in the outbox',
      advice: 'Set a mail server.',
      link: config,
    }
  const { sent, failed } = await countMails(ctx, new Date(ctx.clock() - 7 * dayMs))
  const finding = `${countText(sent, 'mail')} sent and ${failed} failed in the last week`
  if (failed === 0) return ok(finding)
  const link = { path: '/admin/config?tab=outbox', text: 'Open the outbox' }
  return { state: 'warning', finding, advice: 'See why they failed and send them again.', link }
}

async function judgeStorage({ config: { dataDir } }: AppContext): Promise<Judged> {
  const { status, detail } = judgeDisk(await findDisk(dataDir))
  if (status === 'unknown') return unknown(detail)
  if (status === 'healthy') return ok(detail)
  const link = { path: '/admin/health', text: 'Open System Health' }
  return { state: status, finding: detail, advice: 'Make room: without it nothing can be written down.', link }
}

function judgeSecretsKey({ config: { secretsKey, databaseUrl } }: AppContext): Judged {
  if (secretsKey !== undefined) return ok('The key that seals stored secrets comes from the environment')
  const beside = databaseUrl === undefined ? ', beside the embedded database' : ' only'
  return {
    state: 'advice',
    finding: `The key that seals stored secrets lies in the data folder${beside}`,
    advice: 'Keep a copy of it apart, or set SECRETS_KEY, so that a copy of the folder alone opens nothing.',
  }
}

export const systemChecks: readonly Check[] = [
  { id: 'secrets_key', title: 'Key of stored secrets', run: judgeSecretsKey },
  { id: 'mail', title: 'Mail', run: judgeMail },
  { id: 'storage', title: 'Room on the disk', run: judgeStorage },
]
