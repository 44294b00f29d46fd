import type { AppContext } from '../../../context.ts'
import { counted } from '../../../platform/counted.ts'
import { findDisk, judgeDisk } from '../../health/index.ts'
import { countMails } from '../queries/facts.ts'
import { type Check, dayMs, type Judged, ok, unknown } from './check.ts'

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
  const finding = `${counted(sent, 'mail')} sent and ${failed} failed in the last week`
  if (failed === 0) return ok(finding)
  const link = { path: '/admin/config?tab=outbox', text: 'Open the outbox' }
  return { state: 'warning', finding, advice: 'Check the errors and send again.', link }
}

async function judgeStorage({ config: { dataDir } }: AppContext): Promise<Judged> {
  const { status, detail } = judgeDisk(await findDisk(dataDir))
  if (status === 'unknown') return unknown(detail)
  if (status === 'healthy') return ok(detail)
  const link = { path: '/admin/health', text: 'Open System Health' }
  return { state: status, finding: detail, advice: 'Free up disk space.', link }
}

function judgeSecretsKey({ config: { secretsKey, databaseUrl } }: AppContext): Judged {
  if (secretsKey !== undefined) return ok('SECRETS_KEY comes from the server settings')
  const beside = databaseUrl === undefined ? ', beside the embedded database' : ' only'
  return {
    state: 'advice',
    finding: `The encryption key is stored in the data folder${beside}`,
    advice: 'Set SECRETS_KEY on the server, so that a copied data folder stays unreadable.',
  }
}

export const systemChecks: readonly Check[] = [
  { id: 'secrets_key', title: 'Encryption key', run: judgeSecretsKey },
  { id: 'mail', title: 'Mail', run: judgeMail },
  { id: 'storage', title: 'Disk space', run: judgeStorage },
]
