/** Where this process answers, once it does; what it serves is looked at from there. */
export const createOwnAddress = (): { url: string | null } => ({ url: null })
