import type { WireSpaceLink } from '../../contract/wire.ts';
import { badRequest, done, refused, unknownId } from '../refusal.ts';
import { tooLong } from '../request-body.ts';
import type { OperationHandler } from './operation.ts';

/** 4.5 List user spaces. Refuses with 400 (an id that is too long) or 404 (the team has no such user). */
export const listUserSpaces: OperationHandler<undefined, readonly WireSpaceLink[]> = {
  readBody: () => done(undefined),

  run({ teamId, id: userId }, { store }) {
    const problems = tooLong({ userId });
    if (problems.length > 0) return refused(badRequest('The user id in the path is not valid.', problems));
    const links = store.spaces.linksOf(teamId, userId);
    return links === undefined ? refused(unknownId('user', 'userId')) : done(links);
  },
};
