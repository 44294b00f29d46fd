export { mailJobs } from './jobs.ts'
export { queueMail } from './queue-mail.ts'
export { getMail, listMails, sendMailAgain } from './service.ts'
