export { mailJobs } from './jobs.ts'
export { deleteMailsTo } from './queries/mails.ts'
export { queueMail } from './queue-mail.ts'
export { getMail, listMails, sendMailAgain } from './service.ts'
