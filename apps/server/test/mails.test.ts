import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem, inTransaction, type TransactionContext } from '../src/context.ts'
import { type Message, slackBody, webhookBody } from '../src/features/channels/message.ts'
import { createTestContext } from './context.ts'
import { company, type MailWorld, mailSamples, messages, type SampleMail } from './mail-samples.ts'
import { startMailServer } from './mail-server.ts'
import { noticeSamples } from './notice-samples.ts'
import { secretsEnv } from './people.ts'
import { request } from './request.ts'

const publicUrl = 'https://console.seaside.example'
const now = '2026-11-25T12:00:00Z'
let world: MailWorld

beforeAll(async () => {
  const server = await startMailServer()
  const mail = { SMTP_URL: server.url, MAIL_FROM: 'Seaside Web <console@seaside.example>' }
  world = { server, t: await createTestContext({ now, env: { ...secretsEnv, ...mail, PUBLIC_URL: publicUrl } }) }
  const changes = { 'company.name': company, 'audit.head_recipients': ['ops@seaside.example'] }
  await request(world.t.ctx).as('super_admin').patch('/admin/settings', { changes })
})
afterAll(async () => {
  await world?.t.close()
  await world?.server.stop()
})

const features = join(import.meta.dirname, '../src/features')

/** The files that write a mail or hand one to the mail server; the outbox itself sends what these wrote. */
async function writers(): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('**/*.ts', { cwd: features, exclude: (name) => name.endsWith('.test.ts') }))
    if (/\b(queueMail|sendMail)\(/.test(readFileSync(join(features, file), 'utf8')) && !file.startsWith('mail/'))
      found.push(file)
  return found.sort()
}

test('every file that writes a mail has samples of it', async () => {
  expect(Object.keys(mailSamples).sort()).toEqual(await writers())
})

const quoted = (text: string): string =>
  text
    .trim()
    .replaceAll(/^(?=.)/gm, '> ')
    .replaceAll(/^$/gm, '>')

const mailPage = ({ name, subject, text }: SampleMail): string => `## ${name}\n\nSubject: ${subject}\n\n${quoted(text)}`

test('all mails on one page', async () => {
  const pages: string[] = []
  for (const sample of Object.values(mailSamples)) pages.push(...(await sample(world)).map(mailPage))
  await expect(`${['# Mails', ...pages].join('\n\n')}\n`).toMatchFileSnapshot('./pages/mails.md')
})

const slackPage = (message: Message): string => quoted(JSON.parse(slackBody(message, publicUrl)).text)

function webhookPage(message: Message): string {
  const body = webhookBody(message, { id: 'delivery_1', at: new Date(now), company, publicUrl })
  return `\`\`\`json\n${JSON.stringify(JSON.parse(body), null, 2)}\n\`\`\``
}

async function noticeLine(cause: (tx: TransactionContext) => Promise<boolean>): Promise<string> {
  const { ctx } = world.t
  await ctx.pool.query('delete from notifications')
  await inTransaction(asSystem(ctx, 'job', 'test'), cause)
  const { rows } = await ctx.pool.query('select title, body, level from notifications')
  const [{ title, body, level }] = rows
  return `- ${level}: ${title}\n  ${body}`
}

test('all other messages on one page', async () => {
  const notices: string[] = []
  for (const cause of Object.values(noticeSamples)) notices.push(await noticeLine(cause))
  const page = [
    '# Messages',
    ...Object.entries(messages).map(([type, message]) => `## Slack: ${type}\n\n${slackPage(message)}`),
    `## Webhook\n\n${webhookPage(messages.notice)}`,
    `## Notices (bell, channels, browsers)\n\n${notices.join('\n')}`,
  ]
  await expect(`${page.join('\n\n')}\n`).toMatchFileSnapshot('./pages/messages.md')
})
