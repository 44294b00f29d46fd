import { expect, test } from 'vitest'
import { createTestContext } from '../../../test/context.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { secretsEnv } from '../../../test/people.ts'
import { asSystem, inTransaction } from '../../context.ts'
import { startJobs } from '../../platform/job.ts'
import { mailJobs } from './index.ts'
import { queueMail } from './queue-mail.ts'

test('a mail that was written while the server was away goes out by itself when it is back, once', async () => {
  const first = await startMailServer()
  await first.stop()
  const env = { ...secretsEnv, SMTP_URL: first.url, MAIL_FROM: 'console@example.com' }
  const { ctx, close } = await createTestContext({ env, jobs: 'real' })
  const hasty = mailJobs.map((job) => ({ ...job, retryDelayS: 1, retryDelayMaxS: 1 }))
  await startJobs(ctx, hasty)
  const to = { address: 'ada@example.com', name: 'Ada' }
  await inTransaction(asSystem(ctx, 'job', 'test'), (tx) =>
    queueMail(tx, { kind: 'user.invitation', to, subject: 'Your invitation', text: 'Come in' }),
  )
  const mail = () => ctx.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  await expect
    .poll(mail)
    .toMatchObject({ state: 'queued', attempts: 1, error: expect.stringContaining('no mail server answers') })
  const back = await startMailServer({ port: first.port })
  await expect.poll(mail).toMatchObject({ state: 'sent', error: null })
  expect(back.received).toMatchObject([{ to: ['ada@example.com'] }])
  await close()
  await back.stop()
})
