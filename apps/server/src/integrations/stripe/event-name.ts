/** What becomes the key of an index: neither endless nor with what PostgreSQL cannot store. */
export const isName = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text)
