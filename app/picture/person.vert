VARYING float facing;
VARYING vec4 tint;
void MAIN()
{
    vec3 normal = normalize(NORMAL_MATRIX * NORMAL);
    vec3 place = (MODEL_MATRIX * vec4(VERTEX, 1.0)).xyz;
    facing = abs(dot(normal, normalize(CAMERA_POSITION - place)));
    tint = vec4(COLOR.rgb * (0.75 + 0.25 * normal.z), 1.0);
    POSITION = MODELVIEWPROJECTION_MATRIX * vec4(VERTEX, 1.0);
}
