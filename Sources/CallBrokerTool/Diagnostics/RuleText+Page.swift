// Made by Scripts/rules-text from Sources/CallBroker/Documentation.docc/Rules.md.

extension RuleText {
    /// The section of the rules, as the page has it.
    static let page = #"""
        ### Incoming calls

        | rule | situation | what happens |
        |---|---|---|
        | 1 | an incoming call; no other call is live or rings | It is `ringing`. Held calls do not matter |
        | 2 | an incoming call while another is live | It is `waiting`; nothing is held for it. Its app may play at most a tone (`presentation`), but an emergency rings (20). With the policy `busy_in_call` it is refused with `in_call` and recorded as missed; favorites, priority callers (43), callers that a screener allows, emergencies and their call-backs still wait. A live background call (44) is no reason to refuse |
        | 3 | an incoming call while another rings | It is `waiting`. But if the other rings without sound (32, 40) or is a background call (44), or only the new one is an emergency (20), the new one rings and the other waits. At most 4 ring or wait on the host, including those being screened; one more is refused with `max_ringing` (25). Beyond these, as many emergencies may ring, and as many call-backs. Answering one leaves the others waiting. While no group is live, one call rings, and keeps ringing; the others wait; the next is an emergency, else one that may sound, else any; of several the most urgent (43), of these the oldest; each change is an event |
        | 4 | an incoming call while the user dials | It is `waiting`. A dialing call cannot be held, so a plain `answer` is refused (6) and `allowed` has `end_and_answer` |

        ### Answering and starting

        | rule | situation | what happens |
        |---|---|---|
        | 5 | answer, and the live group can be held now, or is being held | `set_held` true to each active member not yet being held. When all are done: `audio.deactivated`, then `answer` |
        | 5a | a provider refuses a hold that another action waits for | The waiting action is not sent: a ringing call keeps ringing, a held one stays held, a call to be started ends as `failed`. The requester gets `hold_failed` with the call in the way. With the policy `on_hold_failure: end`, a request of the user instead ends the calls that refused, and continues |
        | 5b | a provider does not respond to such a hold | Its silent calls end as `failed`, it gets `provider.timed_out`, and the plan continues. A hold that nothing waits for, or that is for an unrequested report (13), only fails |
        | 6 | answer, and the live group cannot be held now | Refused with `cannot_hold` and the calls in the way. `end_and_answer`, or the user's `on_conflict: end`, ends the group first; with the policy `on_cannot_hold: end`, so does a plain answer by the user, or by the app that has the group itself |
        | 7 | answer, with a choice | `hold_and_answer`, like a plain `answer`, holds the live group; only the plain one follows the policy `on_cannot_hold: end` (6). `end_and_answer` ends it, and held groups stay. `end_held_and_answer` ends the group that was held last, and holds the live one. Every end that something waits for, also one requested in the same transaction, has 5 s (`ending_wait_ms`), whatever its provider has registered.  |
        | 7a | a choice about a call that is gone | That part is left out, the rest is done. A choice applies to the live group, and the group held last, at the moment of the decision. A group that goes later is not replaced by another |
        | 8 | start, and the live group can be held now, or is being held | As 5: hold, wait, start |
        | 9 | start, and the live group cannot be held now | Refused with `cannot_hold`. The user's `on_conflict: end` ends the group first; with the policy `on_cannot_hold: end`, so does a plain start by the user, or by the app that has the group itself |
        | 10 | start while another call is starting or dialing, or waits to be started | Refused with `already_dialing`. The user's `on_conflict: end` ends a call that is under way, not one that still waits. A call still `starting` 5 s after its start was sent, with no report and no `broker.progress`, makes way at once: it ends here as `failed`, without waiting for its provider's end; anomaly `start_silent`. Against a `connecting` call rule 9 applies |
        | 10a | start, answer or resume while the live group is already ending | Waits for that end, at most 5 s, then ends it here and continues |
        | 11 | start while another call rings | Allowed; the ringing call waits. With the policy `dial_while_ringing: refuse`, any requester gets `call_ringing`, except for emergencies |
        | 12 | the call in the way belongs to the same provider | The same rules. Hold and answer go out under one transaction, one after the other |
        | 13 | a provider reports a ringing or held call active, without a request | The report asks for the audio. It is granted if nothing is live; or, if the live group can be held, after that hold. Until then the call keeps its state. The reporting provider gets `set_held` true if the live group cannot be held, its hold fails or gets no reply (the live call stays as it is; a hold done afterwards is undone, 29), something else waits for room, an emergency lasts, or the reported call is a background call beside another (44). If it does not reply for 5 s, *its* call ends as `failed`; if it replies with an error, the call keeps its state. A call that is being sent back cannot be answered. Anomaly `active_unasked` |
        | 14 | hold, resume | A resume first holds another live group. If that cannot be held: `cannot_hold`, unless the user sends `on_conflict: end`. A hold needs an active call, a resume a held one |
        | 15 | start, answer, resume, swap, merge, split or hold while another plan waits for room, or (except hold) while another call is being answered or resumed; hold or resume of a call with an operation in progress | Refused with `busy` and the calls of that plan. The same request joins it (30), a start beside a start gets `already_dialing`. An `end` of the waiting call, the user's `end_and_answer`, and an emergency start cancel the plan; its requester gets `cancelled` |

        A second call is answered; the first belongs to another app:

        ```
             0 ms  user         answers call 2 of app B; call 1 of app A is active
                   broker -> A  set_held true, call 1        cause: arbitration, rule 5, because of 2
           100     A            done                         call 1 is held, held_because_of 2
                   broker -> A  audio.deactivated
                   broker -> B  answer, call 2               cause: user, rule 5
           200     B            done                         call 2 is active
                   broker -> B  audio.activated
        ```

        App A refuses to hold, or does not respond:

        ```
             0 ms  user         answers call 2               0 ms  user         answers call 2
                   broker -> A  set_held true, call 1              broker -> A  set_held true, call 1
           100     A            error                     5,000    broker -> A  cancel, timed_out, end
                   broker       hold_failed, rule 5a,              broker       call 1 ended: failed, rule 5b
                                blocking call 1 of A               broker -> B  answer, call 2
                   call 1 is active, call 2 waits                  call 2 becomes active
        ```

        If a hold of the live group that the user requested is already under way, an answer, a start or a
        resume waits for it, and 5a and 5b apply. It stays the user's hold: nothing is held because of the
        call that waited.

        ### When a call ends

        | rule | situation | what happens |
        |---|---|---|
        | 16 | the user, or a call's own app, ends or declines a call, by which the host becomes quiet, and a group is owed a resume | The group held last is resumed, whatever its provider. It is offered (17) if the policy `resume_after_user_end` is off, its provider registered `resume_when_freed: false`, or the resume fails. If its provider is away, the resume waits for it (27) |
        | 17 | the host becomes quiet in any other way: by the far end, a provider, a time-out; or the user holds the live group | The resume is offered: the event `call.resume_offered` once, and `resume_offered` of its calls until the group is resumed or ended, or the host is no longer quiet. With the policy `resume_after_remote_end` the end of a call resumes the group held last, as in 16 |
        | 17a | a call for which a group was held ends before it was connected, or only fails to become live (19, or its answer was cancelled) | That group comes back at once, whatever rings or waits, and regardless of cause, provider and policy; also if its hold is done only afterwards (29) |
        | 18 | one member of a group ends | The group continues. Nothing resumes; the others take over what was held because of it |
        | 19 | swap | Hold, then resume, in one transaction. It needs a live and a held group, else `invalid_state`. With several held groups name one, else `invalid_action`. If the resume fails, 17a applies |

        A group held for another call is *owed* a resume: `held_because_of` names that call until the group
        is active again. The debt moves, and never lapses:

        - its call ends for another (`end_and_answer`, 10, `on_conflict: end`): the group is held for that
          other;
        - its call is held itself, and ends: the group is held for the call for which that one was held;
        - one of several groups held for one call is resumed: the others are held for that one;
        - its call ends in any other way: the name stays, and the debt is settled when the host is *quiet*:
          nothing is live, rings or waits, nothing waits for room, and no emergency lasts.

        A group that the user held, that its app reported as held, or that was taken over as held (28) is
        owed nothing. A resume that fails leaves the debt as it was.

        ```
          call 1 active; call 2 answered            call 1 is held because of 2
          the user hangs up call 2                  call 1 resumes                     rule 16
          or: the other side hangs up call 2        call 1 stays held, is offered      rule 17
          or: call 2's answer fails                 call 1 resumes                     rule 17a
          or: the user hangs up, call 3 rings       call 1 stays held, call 3 rings    rule 16, withheld
              then the user declines call 3         call 1 resumes                     rule 16
              or call 3 gives up                    call 1 stays held, is offered      rule 17
          or: the user answers call 3 with          call 1 is held because of 3
              end_and_answer, and hangs it up       call 1 resumes                     rule 16
        ```

        ### Emergencies and video

        | rule | situation | what happens |
        |---|---|---|
        | 20 | a call is an emergency | It waits for no app, and no limit or filter keeps it out. See below |
        | 21 | video | Follows the audio of the group; a hold stops the camera too. The user's start with video at a provider without `supports_video` goes on without it: the reply has `video_fallback: audio`, and `call.explain` says so; with the policy `video_fallback: refuse` it is refused (`not_supported`), as an app's own start is either way. An emergency is placed there as audio if no app has video. An incoming call or update that claims video there counts as audio; anomaly `video_undeclared` |

        A call is an emergency

        - if the number of an emergency service is started or dialed, by any method, marked or not: 112 or
          911, another of the `region` as libphonenumber knows them, or one of the policy
          `emergency.numbers`. The dialed number is compared without separators, and must have nothing
          before or after it, such as a pause or an extension. The same holds for an outgoing call that an
          app lists when it registers;
        - if the user marks its start;
        - if its provider claims it when it starts, lists or updates the call, or reports it incoming, and
          the host accepts the claim: the policy `emergency.claims` has, for each provider, `allowed`, `ask`
          or `denied` (the default), for `outgoing` and `incoming` calls; `ask` counts as `denied` for the
          call at hand, and the user is asked about later ones. If the claim does not count, the call is
          ordinary, the anomaly `emergency_claimed` is published, and `call.explain` names the claim
          (`ignored`). A provider may repeat the claim of a call that already is an emergency.

        It remains an emergency until it has ended or its end has been requested. If the policy
        `allows_emergency` is off, it is an ordinary call.

        An *incoming* emergency rings first and aloud. Until it is answered or its app reports it active, it
        ends and holds no call, and nothing is refused because of it:

        - it skips all filters, also those that are screening it when it becomes an emergency, and the
          limits `max_ringing` (but see 3) and `max_calls`;
        - it rings before other calls, with sound even if a filter or the user had silenced it before, and
          its app may ring during a conversation. The user can silence it;
        - if its answer is cancelled it rings on, and what was held for it is resumed (17a).

        The user's emergency call never fails as `ambiguous_provider`: the broker chooses an app that may
        have calls and takes such a number or, if no app has declared that, any that may have calls.
        Connected apps come before those that have to be started, have not answered a ping, have lost their
        connection, or are plugins that wait for a restart after a failure. Among equals the order is: apps
        with video for a video call, the app that the request names, those of the policy
        `emergency.providers`, in their order, the default for `tel`, the app connected longest.

        The next app places the call, as one of its own, if the app refuses, the call fails before the far
        end is reached (`connecting` or connected), or its start shows no sign of life for 5 s
        (`start_silence_ms`), until no app is left. The 5 s run from the moment the start is due, even if
        its app is away, or has not replied yet whether it takes the transaction. A silent app is passed
        over only for an app that is connected, perhaps later, or can be started; its call ends as `failed`,
        and it receives an `end`. An app that was away and received no request gets another turn.
        `call.explain` of the former call names the new one. A dialed link counts as refused
        (`call.dial_refused`) when the last app has failed.

        When an emergency begins, an incoming one with its answer:

        - ringing and waiting calls end as `unanswered`, missed because of `emergency`, except other
          emergencies;
        - a plan that waits for room is cancelled;
        - mute of the emergency call is switched off, and again whenever its app reports it muted.

        It waits for nothing. In one turn, the broker sends `set_held` or `end` to the calls in the way,
        their `audio.deactivated`, then `start` or `answer`. Calls to be held count as held at once, because
        of the emergency, calls to be ended as ending; neither is live any more. If a hold is refused, or
        gets no reply in time, its call ends as `failed`; an end that is refused or gets no reply changes
        nothing. Only here is the audio granted before the other app has confirmed that it is silent.

        Nor do other actions delay it:

        - an action in progress on a call to be held is cancelled (a mute), or its group is ended;
        - what it needs is sent beside the 8 actions that a provider may have open;
        - ends, holds, mutes, tones and changes of endpoint, video and text before it in its transaction are
          sent at once, in transactions of their own, and not waited for: what they hold counts as held by
          the user (it is owed no resume), and what they end as ending. A dry run lists these calls in
          `would_hold` and `would_end`. Earlier actions that would make another call live, merge, split,
          transfer or deflect are left out, and so is every action of the transaction that would be refused.

        If it ends before a hold for it is done, that group is offered once held.

        It is never refused for a limit (24, 25):

        - the live group is held if it can be held, even while a hold or resume of it is in progress, and if
          the host's limit of held groups, and `max_call_groups` at the same provider, leave room for it
          beside the emergency; else all of it is ended;
        - if `max_call_groups`, or the number of calls of the provider or of the host, is still exceeded,
          held groups end, the one held last first: only those of that provider for its own limits, never
          another emergency. Calls that are ending, and those that rang, do not count;
        - the user's answer with `end_and_answer` ends the live group; with `end_held_and_answer` it first
          ends the group held last.

        ```
             0 ms  user         starts an emergency, call 2 of app B; call 1 of app A is active
                   broker -> A  set_held true, call 1        cause: arbitration, rule 20, because of 2
                   broker -> A  audio.deactivated            call 1 is held, held_because_of 2
                   broker -> B  start, call 2                cause: user, rule 20
           100     B            done
                   broker -> B  audio.activated
         5,000     A has not replied                         call 1 ends: failed, rule 20
        ```

        While it lasts:

        - other starts and incoming calls are refused with `emergency`, incoming ones recorded as missed.
          Another emergency may come in, and may be started or answered once the first is connected; or if
          the first has shown no sign of life for 5 s after its start or answer was sent, or its provider is
          away;
        - answer, resume and swap of other calls, and merge, split and mute of any, are refused with
          `emergency`; end, hold, unmute and tones are not.

        For 5 minutes after it, incoming calls of that provider skip all filters and are marked
        `emergency_callback`, even if the provider crashed meanwhile. For their number see 3.

        ### Groups

        | rule | situation | what happens |
        |---|---|---|
        | 22 | merge | One provider, else `invalid_action`. Every member of both supports grouping (31a), is active or held, and has no operation in progress. The smaller group joins the larger; of equals, the one named first. Another live group is held first. Then `set_group` to each call that joins, then held members are resumed. If `set_group` fails nothing has changed. A member that fails to resume stays held in the group |
        | 22a | an action on a group of several | One action per member, sent together, done when all are settled. If one fails, the action has failed and the others are undone, except an end or a resume: a group is never half held, muted or merged. In a hold that something waits for, a silent member costs only itself (5b). Mute and grouping change here when all members have done it. `end` is for one call (18), with `group` for all of its group |
        | 22b | a provider groups or splits by itself (`call.report_group`) | Recorded as reported, nothing is sent back; over the limits too, with the anomaly `group_over_limit`. A held member of a live group counts as live with it. If an active call leaves a group that stays active, it counts as held, and its provider gets `set_held` true as in 13 |
        | 23 | split | Needs `supports_ungrouping` (31a) and room for one group more. Another live group is held first, then the rest of the call's own group, then `set_group` with null; a held call is resumed last. The rest counts as held because of the call that left. One remaining member is an ordinary call |

        ```
          calls 1 and 2 of one app, call 1 held, call 2 active; the user merges 1 with 2
                   broker -> A  set_group, call 1, with 2    cause: user, rule 22
                   A            done                         both are in group 1, call 1 still held
                   broker -> A  set_held false, call 1       cause: arbitration, rule 22
                   A            done                         both are active
        ```

        ### Limits

        | rule | situation | what happens |
        |---|---|---|
        | 24 | the limits of a provider: `max_call_groups` (2), `max_calls_per_group` (5) | Ringing, dialing and held calls count. Start, answer, split and merge beyond a limit are refused. An incoming call beyond one still rings and can be answered, but no other group of the provider is held for it, so choose an end. The user's `on_conflict: end` ends one group of the provider for a start: the live one, else the one held last. A resume is not checked. A line may have a limit of calls (`max_calls` of the line); a start beyond it is refused with `max_calls`, an emergency excepted. Calls that end first do not count, and `on_conflict: end` ends a group with a call of that line |
        | 25 | the limits of the host | 1 live group, 4 held groups, 4 ringing or waiting, 1 dialing, 16 calls of a provider, 64 in all. All but the first are in the policy. An incoming call beyond 3 or this rule is an event (`call.refused`), and is recorded as missed because of `max_ringing` or `max_calls` |

        Limits are checked against the result of the plan: groups that it would hold or split off count,
        groups that it would end do not. Limits are reported before `cannot_hold`.

        ### Providers that go and come back

        | rule | situation | what happens |
        |---|---|---|
        | 26 | a provider's process exits | `provider.lost`, then its calls end as `failed`, then `provider.removed` (`process_exited`). Its pending actions fail (`provider_gone`), its audio is taken back, and rule 17 or 17a follows. With `app_process: separate` (the app keeps talking without it), it has its whole grace, 15 s if it requested none |
        | 27 | its connection is lost, the process lives; or its process hangs, see below | Its calls stay for its grace (5 s, or what it requested), with `provider_connected: false`. `end` is done here at once, except for a call that may be talking in an app with `app_process: separate`: that call is `ending` until the provider is back and has ended it, or the end's time is over. Other actions wait, their time running, and go out in order when it is back; of several mutes only the newest. Then as 26, with `grace_expired`. A provider without calls is removed at once (`disconnected`) |
        | 28 | the broker restarts | Calls are recovered and wait 15 s for their providers. After a reboot of the host they all end, and their providers are removed (`process_exited`) |

        A process that hangs keeps its connection. The broker therefore sends `broker.ping` to a provider
        with calls after 10 s (`heartbeat_ms`; 0: never) without a frame from it, and at once to any
        provider that lets an action or an offer time out. Any frame, even an error, is a sign of life. If
        there is none for as long again, a second ping follows; if there is none after that either, the
        anomaly `provider_hung` is published, the connection is closed with the goodbye `unresponsive`, and
        rule 27 applies. Time in which the broker stood still or the host slept does not count; frames not
        yet handled by the broker count as received. A plugin's process that the broker started is
        supervised instead: it is pinged after 15 s of silence with calls, and ended after its grace if it
        does not react.

        ```
             0 ms  app A hangs, after its last frame           call 1 is active
        10,000     broker -> A  broker.ping
        20,000     broker -> A  broker.ping
        30,000     broker -> A  goodbye: unresponsive          provider_hung; call 1: provider_connected false
        32,000     A connects again and lists call 1           call 1 is active
        35,000     or else A is not back                       call 1 ends: failed
        ```

        When a provider registers again it lists its live calls.

        | it lists | the broker has | what happens |
        |---|---|---|
        | a call | that call | A later state is accepted, an earlier one is not; `active` for a call that is held or rings is rule 13 |
        | nothing | a call | The call ends as `failed`. One that is `starting` need not be listed: its start is sent again |
        | a ringing, held or active call | nothing | Taken over if there is room; an active one beside a live group as held, then it asks for the audio (13) |
        | a dialing or connecting call | nothing | Taken over if nothing is live |
        | any other, or no room, or the id of a call that ended recently or is still to be ended there | nothing | In `dropped`: the provider has to tear it down. A call that ended because its provider was lost may be taken over again |

        A provider that comes back without a list of calls, not even an empty one, may still have them: it
        receives `provider.reset` and drops them all.

        Actions sent before the connection was lost are sent again with the same `action` and `attempt` one
        higher. What the list shows to be done counts as done (30a), and is not sent again: a start or
        answer of a call listed as further than that, a hold or resume of a call listed as held or active. A
        hold for a call that is not listed, and so has ended, is dropped, and the held call has the state in
        the list. The list has no mute: report it again if the broker may have missed it.

        ```
             0 ms  app A loses its connection with call 1 active    call 1: provider_connected false
            50     user mutes call 1, and unmutes it                the mute is cancelled, the unmute waits
           100     user answers call 2 of app B                     cannot_hold: call 1 cannot be held now
         2,000     A is back and lists call 1 as active             set_muted false goes out
        ```

        ```
             0 ms  adapter A dies, its app talks on in call 1       call 1: provider_connected false
           100     user answers call 2 of app B, end_and_answer     call 1: ending; call 2 waits
         1,000     A is back and lists call 1 as active             end goes out
         1,100     A ends call 1                                    the answer goes out
         5,100     or else A is not back                            call 1 ends here, the answer goes out
        ```

        ### Late, twice, and in the wrong order

        | rule | situation | what happens |
        |---|---|---|
        | 29 | a late or second reply to an action | Ignored; event `action.late`. But if a start or answer succeeds whose call has ended here, `end` is sent, so that no call lives unseen. A hold or resume that was cancelled or timed out, and happened all the same, counts as a report of the provider: the call is held, or asks for the audio (13). If the hold had been cancelled, or was for a report (13), the call is resumed. A transfer or deflection that happened all the same ends the call, and the one it was joined with (41) |
        | 30 | the same request again, or for a state that is already reached | Success, with one dispatch or none. The second requester gets the first one's transaction, `joined: true` and the same result. While an answer waits for room, an answer with another choice is not the same: `busy`, but the user's `end_and_answer` takes its place. A plain answer and `hold_and_answer` are the same |
        | 30a | a report overtakes the action | It counts as the fulfillment, and the later reply is ignored. That also holds for an action that waits for room, except a start: when its turn comes, it is done already. A report that would go backwards gets `invalid_state` and changes nothing. While an end is under way, a report of the end, or the loss of the provider, ends the call with the reason and cause of the first requester, and the `end` counts as fulfilled |
        | 31 | an action on an unknown or ended call | `unknown_call` or `call_ended`; no other call is touched. An id that is in use, ended in the last 10 minutes, or is still to be ended at its app (29) gets `call_uuid`. A start at an unknown provider gets `unknown_provider` |
        | 31a | an action that the call has declared it does not support | Refused for any requester: hold with `cannot_hold`; merge, split, tones, transfers, deflection, endpoints, video and text with `not_supported`. Nothing is sent |

        ### Filters and rights

        | rule | situation | what happens |
        |---|---|---|
        | 32 | block list, do-not-disturb, screeners, look-ups | All are consulted at once, within 1.5 s. The call starts a screener or directory with `start` `demand`, which has the same time for its start and its answer. A late answer counts as allow and is marked `screening_timed_out`; a screener whose manifest says `closed` blocks if it is late, or absent for any reason. The order of precedence is block, allow, do-not-disturb (but see 43), silence, ring. A refused provider gets the reason and CallKit's error. The history has a blocked call with its filter, not as missed; one refused by do-not-disturb as missed. If the caller gives up meanwhile, the report is answered `call_ended` and the call is missed. If the provider reports another remote party, screening begins again; a call that rings already is looked up again, and loses the former name |
        | 33 | who may act | A provider reports on its own calls. An app requests actions on its own calls, the user on all; only the user may end another app's call for room, or use `on_conflict: end`. Else `not_your_call`. Observers see all calls, with names and numbers; programs of other users are not admitted |

        If an administrator denies an app that has calls (`policy.set`, `authorization`), rule 33 revokes
        its registration, whether it is connected, away in its grace, or being started. Its calls end as
        `failed` with the cause `admin`, its actions, and what waits for it, fail with `unentitled`, its
        audio is taken back, and rule 17 or 17a follows. A call being screened never rings. A connected app
        receives `provider.reset` (`admin`) and drops its calls. Observers get `provider.removed`
        (`revoked`), and then `provider.added` if it is connected: like an app that registers while denied,
        its reports get `unentitled` until it is allowed. These calls are not taken over again.

        ### Sound and tones

        | rule | situation | what happens |
        |---|---|---|
        | 34 | mute | One state per group, kept over hold, allowed for dialing, connecting, active and held calls. `set_muted` goes to every member. A new call is not muted; one that joins a group adopts the group's mute. A provider's report is recorded for the group and not sent back (but see 20) |
        | 35 | tones | Active calls only. A hold stops them. Each `play_dtmf`, a whole string, is finished before the next. Of a string of the user, and of a telephone number that the user dials, an app gets the part before the first pause; the rest is sent by `play_dtmf` once the call is active: after 2 s for each `,` or `p`, or, if the pause has a `;` or `w`, when the user says so (`call.continue_tones`). A part that was sent is not sent again; a hold, the end of the call or a restart of the broker drops the rest, and so does a string with pauses that takes its place. An app gets the strings that it requests for its own calls as they are |

        ### Ringing

        | rule | situation | what happens |
        |---|---|---|
        | 36 | it rings or waits for too long | Ended as `unanswered` after 60 s, or what its provider registered (5 to 120 s); time in which the host sleeps counts |
        | 37 | answered or declined elsewhere, or over before it rang | Ended with that reason; the first two are not missed, and may name the other device (`elsewhere`). A call that never rang is reported with `call.report_missed` and is only in the history |
        | 40 | the user silences a ringing call | It rings on without sound; no action is sent to its provider. The next call that comes in sounds, and this one waits (3). When the user switches on do-not-disturb, all calls that ring or wait are silenced in the same way, except emergencies, and priority callers if they pass it (43) |

        ### One button

        | rule | situation | what happens |
        |---|---|---|
        | 38 | a press of a headset button or a hot key | It does the first thing that fits. See below |

        | first that fits | short press | long press |
        |---|---|---|
        | a call rings or waits | answer the one that rings, or of those that wait the most urgent (43), of several the oldest, by 5 to 7 | decline it |
        | the live call is not connected yet | end it | mute or unmute; with a held one: end it |
        | live and held | swap with the one held last | end the live group |
        | live | end the group, or mute by the policy `button_active` | mute or unmute |
        | only held | resume the one held last | mute or unmute it |
        | nothing | nothing | nothing |

        If a rule refuses such an answer, the call rings on, and the event `call.refused` lets a screen ask
        the user.

        ### Transfer

        | rule | situation | what happens |
        |---|---|---|
        | 41 | a call is transferred to an address (`transfer`), two calls of one provider are joined with each other (`attended_transfer`), or a ringing or waiting call is sent on before it is answered (`deflect`) | Only as the call declares: `supports_transfer`, `supports_attended_transfer`, `supports_deflect`, all false at first; else `not_supported`. A transfer needs active or held calls without an operation in progress, else `invalid_state`; an emergency is never sent away. Nothing is held for it, and other calls are not touched. Once the provider has done it, the call, or both, end here as `local_ended` or `declined` with the requester as cause and the detail `transferred` or `deflected`; rule 16 follows. A report of the end with that detail counts as done. If it fails or is not done in time, nothing changes: the call goes on, or rings on. An `end` cancels it. A call that is being transferred cannot be held: another is answered with `end_and_answer` meanwhile |

        ### Audio endpoints

        | rule | situation | what happens |
        |---|---|---|
        | 42 | the user moves the sound of a call to another endpoint (`set_endpoint`) | To one that the app has listed in the `endpoints` of the call as `available`, in every state but `ending`; else `not_supported` or `invalid_state`. Nothing else about the call changes, and other calls are not touched. Once the provider has done it, that endpoint is `in_use` and the former one `available`; a report that says so counts as done (30a). If it fails or is not done in time, nothing changes. Of two requests the later one is performed last. The endpoints of the host are no matter of these rules |

        ### Calls on other devices

        | rule | situation | what happens |
        |---|---|---|
        | 47 | an app reports a call that is live on another device of the same account (`call.report_external`) | It is listed as `external`, and takes no part in anything else: it is in no other's way, counts for no limit, and has no audio and no priority. Of such calls there may be as many at a provider, and in all, as there may be calls here (25); one more gets `max_calls`. With `supports_pull` an answer (`call.pull`, the action `answer`), with all its choices, brings it here by 5 to 7; it counts for 24 and 25 then, as a start does; a call that comes in before it is done is not refused for it. If that fails, is not done in time or is cancelled, the call goes on where it is, and what was held for it comes back (17a). An `end` cancels such an answer, and is refused otherwise (`invalid_state`), as any other action is. If its app has brought it here by itself, 13 applies. Once here it is a call as any other. If its app is lost it waits for it as calls do (26, 27). A call that was never here leaves no entry in the history |

        ### Priorities

        The `priority` of a call is, from the least urgent to the most urgent, `background`, `normal`,
        `priority_caller`, `emergency_callback` or `emergency` (20).

        | rule | situation | what happens |
        |---|---|---|
        | 43 | a call of a priority caller | The caller is one if a contact of the user breaks through, a screener's verdict has `priority`, the user marks the call (`call.prioritize`), or the call's app says so and the policy `priority_claims` names the app; else the word of an app is ignored, and `call.explain` names it. No app takes the priority back; a call that another remote party takes over loses it. Of the calls that wait, it is answered (38) and rings (3) before older ones; a call that rings keeps ringing. It waits in spite of `busy_in_call` (2), and rings in spite of do-not-disturb if the policy `do_not_disturb.priority_callers_pass` is on |
        | 44 | a background call: its app reports it with the priority `background`, or it is started with `background` | It is in the way of no other. While another group is live, or another call rings or waits, its report, its start and its answer, with whatever choice, are refused with `busy` and the calls in the way, as is a resume by its app; a report of its app that it is active is sent back (13). A refused report is in the history, not as missed. While it rings, a call that comes in rings instead (3). When another is answered or started it is held, as any live call; where it cannot be held, 6 and 9 decide about the other. The user may resume it, and what is held for it is owed a resume as ever |

        ### Video on request

        | rule | situation | what happens |
        |---|---|---|
        | 45 | video is added to a call, changed or taken away (`set_video`: `off`, `send`, `receive`, `both`, as seen from here), or the far end asks for it (`call.report_video_request`) | For ringing, waiting, active or held calls without an operation in progress that changes their state, if the call declares `supports_set_video`, and its provider `supports_video`; else `invalid_state` or `not_supported`. `video` changes once the provider has done it; a report that says so counts as done (30a). If it fails or is not done in time, nothing changes. A hold cancels it. Before an answer it decides what the call is answered with; `call.answer` with `video` is both in one transaction: if the video cannot be set, the call is not answered, and rings on. While a call is held its camera is off, and `video` is what was agreed: the resume restores that. A request of the far end is the call's `video_request`, and changes nothing else until the user, or the call's app for its user, decides with `set_video`: the direction asked for accepts it, the present one declines it, and the provider gets the action either way. Without a decision within `video_request_ms` (30 s), or once its provider withdraws it or reports other video, it is over; nothing is sent then |

        ### Real-time text

        | rule | situation | what happens |
        |---|---|---|
        | 46 | real-time text is added to a call or taken away (`set_text`), or the far end asks for it (`call.report_text_request`) | As with video (45), if the call declares `supports_set_text`, and its provider `supports_text`: in the same states, with the same consent, `has_text` and `text_request` in place of `video` and `video_request`, cancelled by a hold, and decided with an answer by its `text`. A request of the far end has the time `video_request_ms` too. A start with text at an app without it goes on without, and `call.explain` says so; text that an app claims and has not declared does not count. While the call is active and `has_text`, `call.send_text` passes characters to the app; while it is held none pass |

        ### History

        | rule | situation | what happens |
        |---|---|---|
        | 39 | a call is over | One entry: reason, cause, last video state, the filter that acted, `failure`, the app's explanation if it failed to start, answer or, for an emergency, hold the call, and `end_detail`, the app's own words for the end. A missed call lists every reason that applied |

        | end reason | meaning |
        |---|---|
        | `failed` | an action, the provider or a time-out |
        | `remote_ended` | the far end hung up or gave up |
        | `unanswered` | not answered in time |
        | `answered_elsewhere`, `declined_elsewhere` | on another device |
        | `local_ended` | ended here after it was connected |
        | `declined` | ended here while it rang or waited |
        | `cancelled` | outgoing, ended here before it was connected |
        | `filtered` | refused before it was listed |

        `end_detail` is what the app or its network says: `reason`, one of the words below or the app's own,
        `text` for people, and `code`, such as `SIP 486` or `Q.850 17`; of a known code the broker adds the
        reason. It comes with `call.report_ended`, or is the error of an action whose failure ended the
        call: a start, an answer, or a hold for an emergency. A call that is ended here has none. No rule
        depends on it.

        | detail | reported as |
        |---|---|
        | `busy`, `rejected`, `transferred`, `deflected`, `pulled` | `remote_ended` |
        | `no_answer` | `unanswered` |
        | `answered_elsewhere`, `declined_elsewhere` | the same |
        | `unreachable`, `invalid_number`, `not_allowed`, `no_credit`, `not_registered`, `network_error`, `media_error`, `service_error` | `failed` |

        | missed because | |
        |---|---|
        | `unanswered` | not answered in time |
        | `short_ring` | it was audible for less than 5 s |
        | `silenced` | it rang without sound, because of the user or a filter |
        | `caller_gave_up` | the far end ended it |
        | `do_not_disturb`, `max_ringing`, `max_calls`, `emergency`, `in_call` | rules 32, 3, 25, 20, 2 |
        | `provider_lost` | it ended as `failed` while it rang |
        | `screening_timed_out` | a filter did not answer in time (32) |
        """#
}
