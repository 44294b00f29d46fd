import { type Job, job } from '../../platform/job.ts'
import { mailAlerts } from './alerts.ts'
import { deliver, tidyMails } from './deliver.ts'
import { alertsJob, sendJob, tidyJob } from './job-settings.ts'

export { deleteMailsTo } from './queries/mails.ts'
export { queueMail } from './queue-mail.ts'
export { getMail, listMails, sendMailAgain } from './service.ts'

export const mailJobs: readonly Job[] = [
  job({ ...sendJob, run: (ctx, { id }, run) => deliver(ctx, id, run) }),
  job({ ...alertsJob, run: (ctx) => mailAlerts(ctx) }),
  job({ ...tidyJob, run: (ctx) => tidyMails(ctx) }),
]
