import * as mail from '../../mail/index.ts'

// The outbox is shown among the settings and kept by the feature that sends.
export const { getMail, listMails, sendMailAgain } = mail
