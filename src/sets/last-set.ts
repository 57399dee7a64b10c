/** The set of the last call, so that the next call visits only the members that are in one of both, and new ones. */

import { BodySet } from '../save/body-set.ts';
import type { MemberBodies } from '../three/group/member-bodies.ts';
import type { Member } from '../three/group/member.ts';
import type { MemberSet } from './members-among.ts';

export class LastSet {
  /** Bodies that came after the last call. */
  readonly added = new BodySet();
  /** A bit for each body. Null: there was no set, so all were in it. */
  words: Uint32Array | null = null;

  /**
   * Visits the members whose state may differ from that of the last call, and tells whether they are in the new set.
   * Cost: a word for each 32 bodies, and what is visited. Members without a body are always visited.
   *
   * @param next Null: all are in it.
   * @param visitsOthers Whether to visit all members that are not in it.
   * @param visitor Its `body` is -1 for a member without one.
   */
  replace(
    { ordered, unculled }: MemberBodies,
    next: MemberSet | null,
    visitsOthers: boolean,
    visitor: (member: Member, isIn: boolean, body: number) => void,
  ): void {
    for (let word = 0; word * 32 < ordered.bodyCount; word++) {
      // Beyond the end undefined counts as 0.
      const is = next === null ? -1 : next.bodies.words[word];
      const was = this.words === null ? -1 : this.words[word];
      let bits = (is ^ was) | this.added.words[word] | (visitsOthers ? ~is : 0);
      for (; bits !== 0; bits &= bits - 1) {
        const bit = bits & -bits;
        const body = 32 * word + 31 - Math.clz32(bit);
        const member = ordered.memberAt(body) as Member | undefined;
        if (member !== undefined) visitor(member, (is & bit) !== 0, body);
      }
    }
    for (const member of unculled) visitor(member, next === null || next.unculled.has(member), -1);
    this.added.clear();
    this.words = next && next.bodies.words.slice();
  }
}
