import { type Job, job } from '../../platform/job.ts'
import { deliver, tidyMails } from './deliver.ts'
import { sendJob, tidyJob } from './job-settings.ts'

export { deleteMailsTo, withdrawMails } from './queries/mails.ts'
export { type MailAttachment, queueMail } from './queue-mail.ts'
export { getMail, listMails, sendMailAgain } from './service.ts'

export const mailJobs: readonly Job[] = [
  job({ ...sendJob, run: (ctx, { id }, run) => deliver(ctx, id, run) }),
  job({ ...tidyJob, run: (ctx) => tidyMails(ctx) }),
]
